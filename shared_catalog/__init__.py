"""The diagnostic catalog as data. It knows nothing of Argon's code; `codes/` holds one entry per code."""
