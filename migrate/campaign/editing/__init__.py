"""A wish for sites made into texts, and the proof that exactly the wish came true. Nothing is written here.

`targets` chooses the sites, `edit` changes them, `estate_votes` holds the estate before against that after.
`policies` does as much for grants; `inits` mends, beside an edit, the commands that it would break.
"""
