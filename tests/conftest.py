"""What holds for every test: no answer comes from the cache of whoever runs them."""

from __future__ import annotations

import os

os.environ["ARGON_CACHE"] = "off"
