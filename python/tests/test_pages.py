"""The code in the pages runs unchanged."""

import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent
PAGES = [PACKAGE / "README.md", *sorted((PACKAGE.parent / "docs").glob("*.md"))]
BLOCKS = [
    pytest.param(block, id=page.name)
    for page in PAGES
    for block in re.findall(r"^```python\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S)
    if "import lucena" in block
]


@pytest.mark.parametrize("block", BLOCKS)
def test_code_in_pages_runs(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(block, "page", "exec"), {})
    assert "positions won" in capsys.readouterr().out


def test_there_is_code_in_the_pages() -> None:
    assert len(BLOCKS) >= 2
