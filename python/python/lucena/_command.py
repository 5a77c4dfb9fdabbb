"""The command ``lucena``."""

import sys
from typing import NoReturn

from lucena._lucena import command


def main() -> NoReturn:
    """Run the command line that the process was started with."""
    sys.exit(command(["lucena", *sys.argv[1:]]))
