"""What an expression comes to, as far as source says: names and functions are given, nothing is guessed.

One evaluator serves Terragrunt (locals, included files, functions of paths) and OpenTofu (variables and
locals in a backend); each has its own scope here.
"""
