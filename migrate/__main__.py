"""`python -m migrate` is `tfrelock`."""

from migrate.cli.main import main

if __name__ == "__main__":
    main()
