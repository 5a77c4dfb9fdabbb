"""``python -m lucena`` is the command ``lucena``."""

from lucena._command import main

main()
