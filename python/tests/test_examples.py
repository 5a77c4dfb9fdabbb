"""The examples in docstrings give the shown results."""

import doctest
from typing import Any

import lucena
import pytest

NAMED: list[Any] = [lucena, *(getattr(lucena, name) for name in lucena.__all__ if name != "__version__")]


@pytest.mark.parametrize("named", NAMED, ids=lambda named: getattr(named, "__name__", "text"))
def test_examples_are_so(named: Any) -> None:
    finder = doctest.DocTestFinder(recurse=False)
    runner = doctest.DocTestRunner()
    for example in finder.find(named, globs={}):
        runner.run(example)
    assert runner.summarize(verbose=False).failed == 0


def test_everything_has_a_docstring() -> None:
    for thing in NAMED:
        name = thing.__name__
        assert thing.__doc__, name
        if isinstance(thing, type):
            for part, value in vars(thing).items():
                assert part.startswith("_") or value.__doc__, f"{name}.{part}"
