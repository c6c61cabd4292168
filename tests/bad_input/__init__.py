"""Bad input, at the command line: for every kind a clear message and the right exit code, and nothing lost.

| input | where |
|---|---|
| unreadable, not UTF-8, unparsable, templated; a quote missing; an argument twice | `test_files` |
| one-line blocks; CRLF, a byte order mark, tabs, no final newline | `test_files` |
| symlinks in the repository and out of it | `test_links` |
| a file that changed between reading and writing; a read-only tree; a dirty tree | `test_trees` |
| detached HEAD, no remote, a refused push; no git, no Terraform | `test_git` |
| a forge that answers 401, 403, 404, 422, 429, 500, 502 or not at all | `test_forges` |
| an interrupt at any point | `test_interrupts` |
| a repository that names an endpoint, forge, role or fact; a change that waives itself | `test_claims` |
| planted monitors, hooks, filters, a submodule's URL; terminal escapes in names | `test_plants` |
"""
