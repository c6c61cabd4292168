"""Slices brought to forges, a repository at a time: commits beside the work tree, a branch, a proposal.

`propose` looks before it writes and knows its own work again (`marks`), so a turn that stopped anywhere can
be taken again. `ports` says what this room needs of git, of a forge and of pages.
"""
