"""One phase over all given repositories: what its gates say of each state, and its edits where they are open.

`step` is the phase that `edit` was asked for; `stage` one of those that proposals are made of.
"""
