"""Signatures: what each kind of item promises to the rest of the program, one file per kind."""
