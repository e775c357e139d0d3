"""The incremental program: sources in, diagnostics and a lowered module out."""
