"""Argon: one front end, one catalog, one runtime (the map of the rooms is in ARCHITECTURE.md)."""
