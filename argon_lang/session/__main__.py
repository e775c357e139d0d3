"""`python -m argon_lang.session`: the worker process of a server."""

from __future__ import annotations

import gc

if __name__ == "__main__":
    # Collecting while thousands of classes are made finds nothing, and costs a sixth of the start.
    gc.disable()
    from argon_lang.session.worker import main

    gc.freeze()
    gc.enable()
    main()
