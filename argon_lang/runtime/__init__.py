"""The runtime: one loaded module, one store, and every question and write that the front ends put to them."""
