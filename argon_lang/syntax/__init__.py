"""Text to tree: tokens, lexer, parser, documents, formatter. Never raises on input, does no IO."""
