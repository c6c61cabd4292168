"""`python -m migrate` is `tfrelock`."""

from migrate.cli.main import script

if __name__ == "__main__":
    script()
