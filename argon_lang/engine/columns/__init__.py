"""Rules over columns of numbers, many rows at a time: the executor for large relations. Nothing else imports numpy."""
