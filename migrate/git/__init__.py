"""Git, by its own program, and so that nothing of a checkout is run or obeyed.

`checkout` asks a checkout what it is; `own` reads trees and blobs, `commits` makes commits and `remote`
pushes them, all three from a repository of our own that borrows the checkout's objects; `branches` puts
these together for proposals.
"""

from migrate.git.branches import Base, Here, Made, There
from migrate.git.checkout import Head, blob_id, differing, head, ignored, move_branch, resolve
from migrate.git.commits import Author, Draft, Logged, Touched, commit, log, merge_base, patch, user
from migrate.git.own import Leaf, Own, blobs, borrow, holding, publish, tree
from migrate.git.remote import Rejected, Remote, fetch, push, remote, remote_tip

__all__ = [
    "Author",
    "Base",
    "Draft",
    "Head",
    "Here",
    "Leaf",
    "Logged",
    "Made",
    "Own",
    "Rejected",
    "Remote",
    "There",
    "Touched",
    "blob_id",
    "blobs",
    "borrow",
    "commit",
    "differing",
    "fetch",
    "head",
    "holding",
    "ignored",
    "log",
    "merge_base",
    "move_branch",
    "patch",
    "publish",
    "push",
    "remote",
    "remote_tip",
    "resolve",
    "tree",
    "user",
]
