"""What is open now, in slices: which proposals a repository gets, and what stands in each.

A slice is all that a proposal takes; `bundle` writes the same slices as patches, for other tools to carry.
"""
