"""The command ``lucena``."""

import sys
from typing import NoReturn

from lucena._lucena import command


def main() -> NoReturn:
    """Run the command line of this process."""
    sys.exit(command(["lucena", *sys.argv[1:]]))
