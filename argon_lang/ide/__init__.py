"""An editor's or agent's questions about the program, by offset or by name, answered as plain data."""
