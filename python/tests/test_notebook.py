"""The notebook runs from top to bottom and gives the stored output."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parent.parent / "notebooks" / "krkopt.ipynb"


def shown(notebook: Any) -> list[tuple[str, list[str]]]:
    """Each code cell with its text output, without bars and warnings."""
    cells = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            # Printed output arrives in pieces that depend on timing.
            printed, texts = "", []
            for output in cell.outputs:
                assert output.output_type != "error", output
                if output.output_type != "stream":
                    texts.append(output["data"]["text/plain"])
                elif output.name == "stdout":
                    printed += output.text
            cells.append((cell.source, [printed, *texts]))
    return cells


@pytest.mark.filterwarnings("ignore")
def test_the_notebook_shows_what_comes_out() -> None:
    kept = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    fresh = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(fresh, timeout=300, kernel_name="python3").execute()
    assert shown(kept) == shown(fresh)
    assert sum(any(texts) for _, texts in shown(kept)) > 8
