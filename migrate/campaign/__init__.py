"""The use cases: what a command does, with its ports as arguments.

From the bottom: `reading` takes what repositories hold; `access` judges who may lock; `editing` and `pinning`
make texts of wishes; `phases` holds them behind their gates, and beside it `auditing` only tells; `offering`
makes slices of what is open, and `proposing` brings them to forges.
"""
