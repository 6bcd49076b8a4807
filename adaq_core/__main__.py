"""`python -m adaq_core`: the command line."""

from adaq_core.cli import main

if __name__ == "__main__":
    main()
