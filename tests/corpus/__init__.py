"""Runs the program over a folder of real repositories and checks every promise it makes of them."""
