"""What may be written at a place: `complete` ranks the names, members and words that fit there."""
