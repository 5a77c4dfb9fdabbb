"""The progress bar of long work."""

import importlib.util
import sys
import time
from typing import Any

PATIENCE = 0.5
"""Seconds before a bar appears."""


class Bar:
    """A bar on standard error, drawn by tqdm if it is installed; none outside terminals and notebooks."""

    def __init__(self) -> None:
        self._begin = time.monotonic()
        self._bar: Any = None
        self._what = ""
        self._width = 0
        self._is_seen = "ipykernel" in sys.modules or sys.stderr.isatty()
        self._tqdm = _tqdm()

    def tell(self, what: str, done: int, total: int | None) -> None:
        """Show the progress: the number of steps done and, if known, the total."""
        if not self._is_seen or time.monotonic() - self._begin < PATIENCE:
            return
        if self._tqdm is None:
            self._write(f"{what}: {done:,} of {total:,}" if total else what)
            return
        if what != self._what or self._bar is None or self._bar.total != total:
            self.close()
            self._what = what
            self._bar = self._tqdm(desc=what, total=total, leave=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None
        if self._width:
            self._write("")

    def _write(self, line: str) -> None:
        sys.stderr.write("\r" + line.ljust(self._width) + ("" if line else "\r"))
        sys.stderr.flush()
        self._width = len(line)


def _tqdm() -> Any:
    """Tqdm's bar for notebooks if its dependencies are there, or its bar for terminals, or None."""
    try:
        if "ipykernel" in sys.modules and importlib.util.find_spec("ipywidgets"):
            from tqdm.notebook import tqdm
        else:
            from tqdm import tqdm
    except ImportError:
        return None
    return tqdm
