"""How a tree is laid out on lines: the parts of the formatter."""
