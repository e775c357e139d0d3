"""The engine beside other systems, on the same rules and facts, each run in a process of its own."""
