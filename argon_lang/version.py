"""The versions of argon and of what it writes. A test compares `VERSION` with the distribution's metadata."""

VERSION = "0.1.0"
