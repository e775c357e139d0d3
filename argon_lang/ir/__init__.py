"""The lowered program as plain values: what the artifact stores and the engine runs."""
