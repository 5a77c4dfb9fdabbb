"""The command lucena of the package."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import lucena
import pytest

COMMAND = Path(sysconfig.get_path("scripts")) / "lucena"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, *arguments], capture_output=True, text=True, timeout=120, check=False
    )


def test_it_says_its_version() -> None:
    assert run("--version").stdout.split()[:2] == ["lucena", lucena.__version__]


def test_it_solves() -> None:
    solved = run("solve", "KRvK")
    assert solved.returncode == 0 and solved.stderr == ""
    assert "longest mate: 16 moves (32 plies)" in solved.stdout


def test_its_data_are_the_arrays() -> None:
    lines = run("dataset", "KRvK").stdout.splitlines()
    data = lucena.dataset("KRvK")
    assert tuple(lines[0].split(",")) == (*data.attribute_names, "optimalDepth")
    names = [line.rsplit(",", 1)[1] for line in lines[1:]]
    assert names == [data.class_names[number] for number in data.y.tolist()]


def test_without_arguments_it_is_the_engine() -> None:
    engine = subprocess.run(
        [COMMAND], input="uci\nquit\n", capture_output=True, text=True, timeout=120, check=True
    )
    assert engine.stdout.splitlines()[-1] == "uciok"


@pytest.mark.parametrize("arguments", [["nonsense"], ["solve", "KRvX"], ["probe", "8/8"]])
def test_what_makes_no_sense_is_refused(arguments: list[str]) -> None:
    refused = run(*arguments)
    assert refused.returncode == 2 and refused.stdout == "" and refused.stderr != ""


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    refused = run("show", str(tmp_path / "none.json"))
    assert refused.returncode == 3 and "none.json" in refused.stderr


def test_the_module_is_the_command() -> None:
    by_module = subprocess.run(
        [sys.executable, "-m", "lucena", "--version"], capture_output=True, text=True, check=True
    )
    assert by_module.stdout == run("--version").stdout
