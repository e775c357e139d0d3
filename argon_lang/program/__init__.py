"""The typed program: names, types, declarations, rule bodies (immutable values, no spans in signatures)."""
