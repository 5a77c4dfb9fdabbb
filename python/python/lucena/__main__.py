"""``python -m lucena`` is the command ``lucena``."""

from lucena._command import main

if __name__ == "__main__":
    main()
