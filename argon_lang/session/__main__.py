"""`python -m argon_lang.session SERVICE`: a server's worker process. `project` serves an agent, `editor` an editor."""

from __future__ import annotations

import gc
import sys
from importlib import import_module

SERVICES = {"project": "argon_lang.session.lanes", "editor": "argon_lang.session.editor.desk"}

if __name__ == "__main__":
    # Collecting while thousands of classes are made finds nothing, and costs a sixth of the start.
    gc.disable()
    from argon_lang.session.worker import main

    service = import_module(SERVICES[sys.argv[1]]).serve
    gc.freeze()
    gc.enable()
    main(service)
