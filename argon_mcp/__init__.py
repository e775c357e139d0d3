"""The MCP server: framing only; every answer comes from the rooms of `argon_lang`."""
