"""The code beside the picture: rules, runs, the failing line, and what stays in its place."""

import re

import pytest
from alone import open_widget
from playwright.sync_api import expect

import glassgrad as gg
from glassgrad.notebook.code import Code

SETUP = "%load_ext glassgrad\nimport glassgrad as gg\nfrom glassgrad import Value"
LOOP = (
    "%%autograd --numeric\n"
    "x, w = Value(2.0), Value(0.5)\n"
    "def layer(h):\n"
    "    return (h * w).tanh()\n"
    "for _ in range(3):\n"
    "    x = layer(x) + 1\n"
    "loss = (x - 1) ** 2\n"
)
PIECES = """element => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getClientRects().length;
}"""


@pytest.fixture
def app():
    """Run these in JupyterLab alone: the code beside the picture is the same in both apps."""
    return "lab"


def row(widget, line):
    return widget.locator(f'.gg-line[data-line="{line}"]')


def test_a_line_shows_value_gradient_and_rule(open_notebook):
    notebook = open_notebook(SETUP, "%%autograd\na, b = Value(2.0), Value(-3.0)\nc = a * b + a")
    notebook.run_all()
    line = row(notebook.widget(1), 3)
    expect(line).to_contain_text("a * b −6 · grad 1")
    expect(line).to_contain_text("∂/∂a = b, ∂/∂b = a")


def test_a_loop_shows_its_newest_run_and_the_way_to_the_others(open_notebook):
    notebook = open_notebook(SETUP, LOOP)
    notebook.run_all()
    widget = notebook.widget(1)
    line = row(widget, 6)
    expect(line).to_contain_text("3 of 3")
    expect(row(widget, 4)).to_contain_text("3 of 3")  # the function's own line
    newest = line.inner_text()
    line.get_by_role("button", name="Earlier run of line 6").click()
    expect(line).to_contain_text("2 of 3")
    assert line.inner_text() != newest
    expect(row(widget, 4)).to_contain_text("2 of 3")  # it goes along
    expect(row(widget, 2)).to_contain_text("measured")


def test_pointing_goes_both_ways(open_notebook):
    notebook = open_notebook(SETUP, "%%autograd\na, b = Value(2.0), Value(-3.0)\nc = a * b + a")
    notebook.run_all()
    widget = notebook.widget(1)
    widget.locator('[data-node="2"]').hover()
    expect(row(widget, 3)).to_have_class(re.compile("gg-on"))
    expect(row(widget, 3).locator("u")).to_have_text("a * b")
    row(widget, 2).locator("[data-made]").first.hover()
    expect(widget.get_by_role("tooltip")).to_contain_text("a")
    expect(row(widget, 2)).to_have_class(re.compile("gg-on"))


def test_long_cells_scroll_and_long_lines_leave_room_for_the_picture(open_notebook):
    lines = [f"v{i} = Value({i}.0) + {i}  # {'x' * (120 if i == 3 else 1)}" for i in range(40)]
    total = "total = " + " + ".join(f"v{i}" for i in range(40))
    notebook = open_notebook(SETUP, "\n".join(["%%autograd", *lines, total]))
    notebook.run_all()
    widget = notebook.widget(1)
    code, stage = widget.locator(".gg-code"), widget.locator(".gg-stage")
    expect(stage).to_be_visible()
    sizes = code.evaluate("e => [e.scrollHeight > e.clientHeight, e.scrollWidth > e.clientWidth]")
    assert sizes == [True, True]
    inner, outer = stage.bounding_box(), widget.bounding_box()
    assert inner["width"] > outer["width"] / 2
    assert code.bounding_box()["height"] <= outer["height"]


def test_pictures_to_be_looked_at(open_notebook, screenshots):
    failing = "%%autograd\na = Value(2.0)\nb = a * 3\nc = b.nothing()"
    notebook = open_notebook(SETUP, LOOP, failing)
    notebook.page.set_viewport_size({"width": 1280, "height": 2400})
    notebook.run(0)
    notebook.run(1)
    expect(notebook.widget(1)).to_be_visible()
    notebook.run(2)
    expect(notebook.widget(2)).to_be_visible()
    for index, name in ((1, "loop"), (2, "failing")):
        widget = notebook.widget(index)
        for theme in ("light", "dark"):
            widget.evaluate("(e, theme) => e.setAttribute('data-theme', theme)", theme)
            widget.screenshot(path=screenshots / f"gutter-{name}-{theme}.png")


@pytest.mark.parametrize(
    ("width", "least"),
    [(600, 0.8), (820, 0.95), (1024, 0.95), (1280, 0.95)],  # cards keep room for longer numbers
)
def test_the_first_lesson_is_drawn_at_full_size(empty, width, least):
    with gg.record() as first:
        a, b = gg.Value(2.0), gg.Value(-3.0)
        c = a * b + a  # noqa: F841
    empty.set_viewport_size({"width": 1400, "height": 900})
    widget = open_widget(empty, first, width=f"{width}px")
    expect(widget.locator("[data-node]")).to_have_count(4)
    world = widget.locator(".gg-world").get_attribute("transform")
    assert float(re.search(r"scale\((.*)\)", world)[1]) > least
    code, stage = (widget.locator(f".gg-{name}").bounding_box() for name in ("code", "stage"))
    stacked = code["y"] + code["height"] <= stage["y"] + 1
    assert stacked is (width < 1000)
    assert code["height"] > 60


def test_a_narrow_notebook_stacks_code_and_picture(open_notebook, screenshots):
    notebook = open_notebook(SETUP, LOOP)
    notebook.page.set_viewport_size({"width": 600, "height": 1200})
    notebook.run_all()
    widget = notebook.widget(1)
    expect(widget.locator("[data-node]").first).to_be_visible()
    code, stage = (
        widget.locator(".gg-code").bounding_box(),
        widget.locator(".gg-stage").bounding_box(),
    )
    assert code["y"] + code["height"] <= stage["y"] + 1
    widget.screenshot(path=screenshots / "gutter-600.png")


def test_the_number_of_a_line_far_down_a_file_stays_in_one_piece(empty):
    a = gg.Value(2.0, label="a")
    b = a * a
    code = Code(["b = a * a"], first=1203, runs={1203: [[1]]})
    for width in ("900px", "400px"):
        widget = open_widget(empty, gg.Recording(gg.graph(b), b, code), width=width)
        number = row(widget, 1203).locator(".gg-number")
        expect(number).to_have_text("1203")
        assert number.evaluate(PIECES) == 1
        empty.evaluate("close()")
