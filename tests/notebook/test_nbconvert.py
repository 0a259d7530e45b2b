"""An executed notebook as a page: nbconvert shows the picture; the widget state is complete."""

import re
from base64 import b64decode

import nbformat
import pytest
from nbconvert import HTMLExporter, MarkdownExporter
from traitlets.config import Config

from glassgrad.notebook.widget import GraphWidget

SETUP = "%load_ext glassgrad\nfrom glassgrad import Value"
CELL = "%%autograd\na, b = Value(2.0), Value(-3.0)\nc = a * b + a"
VIEW, STATE = (
    "application/vnd.jupyter.widget-view+json",
    "application/vnd.jupyter.widget-state+json",
)
SVG = re.compile(r'src="data:image/svg\+xml;base64,([^"]*)"')
WITHOUT_STATE = Config(ClearMetadataPreprocessor={"enabled": True})  # as docs/widget.md has it


@pytest.fixture
def executed(run_notebook):
    cells = list(map(nbformat.v4.new_code_cell, [SETUP, CELL]))
    return run_notebook(nbformat.v4.new_notebook(cells=cells))


def test_a_page_without_the_widgets_state_shows_the_picture(executed):
    page, _ = HTMLExporter(config=WITHOUT_STATE).from_notebook_node(executed)
    (picture,) = SVG.findall(page)
    assert ">a * b" in b64decode(picture).decode().replace("&#160;", " ").replace("\xa0", " ")
    assert VIEW not in page


def test_a_notebook_in_which_no_state_was_saved_shows_the_picture(executed):
    del executed.metadata["widgets"]
    page, _ = HTMLExporter().from_notebook_node(executed)
    assert len(SVG.findall(page)) == 1


def test_other_formats_show_the_picture(executed):
    text, resources = MarkdownExporter().from_notebook_node(executed)
    assert "![svg](" in text
    (picture,) = resources["outputs"].values()
    assert b"<svg" in picture


def test_the_saved_state_is_all_that_the_widget_needs(executed):
    page, _ = HTMLExporter().from_notebook_node(executed)
    assert page.count(f'<script type="{VIEW}">') == 1
    saved = executed.metadata["widgets"][STATE]["state"].values()
    (ours,) = [model["state"] for model in saved if "graph" in model["state"]]
    assert set(GraphWidget.class_own_traits(sync=True)) | {"_esm", "_css"} <= set(ours)
    assert ours["graph"]["nodes"]["label"] == ["a", "b", "a * b", "c"]
    assert ours["sent_grad"] == [-2.0, 2.0, 1.0, 1.0]
