"""The use cases: what a command does, with its ports as arguments."""
