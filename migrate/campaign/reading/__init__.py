"""What a repository holds: its files read one by one, joined to an inventory, and which of it is asked about.

`one_file` shows a file to every plug, `collector` collects what they find in the files of a walk or of a
commit (`commit`), and `inventory` joins that.
The rest settles what single files leave open: Terragrunt units, chains of modules, variables, partial files.
"""
