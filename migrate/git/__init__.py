"""Git, by its own program, and so that nothing of a checkout is run or obeyed.

`checkout` asks a checkout what it is; `own` reads trees and blobs, `commits` makes commits and `remote`
pushes them, all three from a repository of our own that borrows the checkout's objects; `branches` puts
these together for proposals. Each is imported where it is used: a look at a checkout needs only the first.
"""
