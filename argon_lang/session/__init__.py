"""Joins workspace, runtime and ide for whoever serves a project: dirty → build → reload → verify."""
