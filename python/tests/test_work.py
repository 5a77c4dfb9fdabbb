"""Long work: other threads keep running, Ctrl-C stops it, a bar is drawn."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import lucena
import numpy as np
import pytest
from lucena._bar import Bar
from numpy.typing import NDArray


class Constant:
    """A player that takes no time."""

    def predict(self, rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return np.zeros(len(rows), dtype=np.uint8)


@pytest.mark.parametrize(
    ("work", "arguments"), [(lucena.solve, ("KBNvK",)), (lucena.prove, (Constant(), "KBBvK"))]
)
def test_other_threads_go_on(work: Callable[..., object], arguments: tuple[object, ...]) -> None:
    thread = threading.Thread(target=work, args=arguments)
    thread.start()
    steps = 0
    while thread.is_alive():
        steps += 1
        time.sleep(0.001)
    assert steps > 10


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send to one process")
def test_ctrl_c_stops_the_work() -> None:
    code = "import lucena\nprint('ready', flush=True)\nwhile True: lucena.solve('KBNvK')"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert errors.rstrip().endswith("KeyboardInterrupt")
    assert process.returncode == -signal.SIGINT


@pytest.mark.parametrize("has_tqdm", [True, False])
def test_a_bar_is_drawn_where_somebody_looks(
    has_tqdm: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not has_tqdm:
        monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setattr("lucena._bar.PATIENCE", 0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    bar = Bar()
    bar.tell("endgames", 1, 3)
    bar.tell("endgames", 2, 3)
    bar.tell("solving", 0, None)
    bar.close()
    seen = capsys.readouterr()
    assert "endgames" in seen.err and "solving" in seen.err and seen.out == ""


def test_no_bar_is_drawn_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    bar = Bar()
    bar.tell("endgames", 1, 3)
    bar.close()
    assert capsys.readouterr() == ("", "")
