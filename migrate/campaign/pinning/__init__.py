"""The pin step: the lowest release each root admits, raised where it can be: all pins of a root, or none."""
