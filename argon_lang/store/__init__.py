"""The event log in two times behind one protocol: memory and SQLite."""
