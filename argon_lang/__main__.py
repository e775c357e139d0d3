"""`python -m argon_lang`: the same as `argon`. Its head must be readable by any Python, to turn an old one away."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (the one place that an old Python reaches)
    sys.stderr.write("error: argon needs Python 3.11 or newer; this is Python %d.%d\n" % sys.version_info[:2])  # noqa: UP031
    sys.exit(3)

from argon_lang.cli.entry import main

sys.exit(main())
