"""Runs the command line: `python -m evalcore`."""

import sys

from evalcore.cli import main

if __name__ == "__main__":
    sys.exit(main())
