"""A wish for sites made into texts, and the proof that exactly the wish came true. Nothing is written here.

`targets` chooses the sites, `edit` changes them, `outcome` holds the estate before against the estate after.
`policies` does as much for grants; `inits` mends, beside an edit, the commands that it would break.
"""
