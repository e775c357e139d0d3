"""The engine: rules and facts in, derived facts, proofs and refusals out. It knows no text, no trees, does no IO."""
