"""What a repository holds: files taken one by one, joined to an inventory, and which of it is asked about.

`taking` asks every plug of every file, of a walk or of a commit (`commit`); `inventory` joins the answers.
The rest settles what single files leave open: Terragrunt units, chains of modules, variables, partial files.
"""
