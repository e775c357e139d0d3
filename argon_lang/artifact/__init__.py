"""The `.oxbin` file: encode, decode, validate, hash."""
