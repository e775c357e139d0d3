"""The exit codes of the command line (surfaces §1), for every command."""

OK, FINDINGS, USAGE, ENVIRONMENT, INTERNAL = 0, 1, 2, 3, 70
"""No error-level finding · findings, refusals, not found · usage · environment · a fault of argon."""
PIPE, INTERRUPTED, TERMINATED = 141, 130, 143
"""Ended by the signal of the same number less 128."""
