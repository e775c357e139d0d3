"""One file per request: each asks the ide one question and converts its answer."""
