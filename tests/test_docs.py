"""Every Python block of the documents runs, in order, in one kernel per document."""

import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")

CODE = {document: PYTHON_BLOCK.findall(document.read_text()) for document in DOCUMENTS}


@pytest.mark.parametrize(
    "document", [document for document in DOCUMENTS if CODE[document]], ids=lambda path: path.name
)
def test_code_runs(document, run_notebook):
    cells = [nbformat.v4.new_code_cell(block.rstrip()) for block in CODE[document]]
    notebook = run_notebook(nbformat.v4.new_notebook(cells=cells))
    errors = [
        output
        for cell in notebook.cells
        for output in cell.outputs
        if output.output_type == "error"
    ]
    assert errors == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document):
    targets = LINK.findall(document.read_text())
    assert [target for target in targets if not (document.parent / target).exists()] == []
