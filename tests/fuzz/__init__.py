"""Mutated files through every plug: what is found, edited and proved of them keeps every promise."""
