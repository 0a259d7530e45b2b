"""Every lesson runs from top to bottom, and its pictures come with an image and a text."""

from pathlib import Path

import nbformat
import pytest

LESSONS = sorted((Path(__file__).parents[1] / "examples").glob("*.ipynb"))
WIDGET = "application/vnd.jupyter.widget-view+json"


def test_there_are_lessons():
    assert {"01", "02", "03", "04", "06", "08", "09", "12"} <= {
        lesson.name[:2] for lesson in LESSONS
    }


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
def test_lesson_is_stored_clean(lesson):
    notebook = nbformat.read(lesson, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
def test_lesson_runs(lesson, run_notebook):
    notebook = run_notebook(nbformat.read(lesson, as_version=4))
    outputs = [
        output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs
    ]
    complaints = [
        output
        for output in outputs
        if output.output_type == "error" or output.get("name") == "stderr"
    ]
    assert complaints == []

    widgets = [output.data for output in outputs if WIDGET in output.get("data", {})]
    pictures = [data for data in widgets if "%|" not in data["text/plain"]]  # no progress bar
    assert pictures, "a lesson without a picture"
    for picture in pictures:
        assert picture["image/svg+xml"].lstrip().startswith(("<?xml", "<svg"))
        assert "data" in picture["text/plain"]
