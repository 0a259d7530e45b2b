"""Nudge, predict, blame and the stale layer, end to end: in the page, and back in the kernel."""

import json

import pytest
from playwright.sync_api import expect

SETUP = "%load_ext glassgrad\nimport glassgrad as gg\nfrom glassgrad import Value"
EXAMPLE = """\
a, b = Value(2.0, label="a"), Value(-3.0, label="b")
c = a * b + a
c.label = "c"
c.backward()
widget = gg.show(c, mode="{mode}")
widget"""
OWN = """\
def cube_and_itself(x):
    out = Value(x.data**3 + x.data, (x,), "cube and itself")
    def rule():
        x.grad += (3 * x.data**2 + 1) * out.grad
    out._backward = rule
    return out

x = Value(2.0, label="x")
y = cube_and_itself(x)
y.label = "y"
y.backward()
gg.show(y, mode="nudge")"""
WATCH = """\
import ipywidgets, json

def tell(_change):
    state = [a.data, c.data, b.grad, widget.progress.get("nudge"), widget.attempts]
    label.value = json.dumps(state)

label = ipywidgets.Label()
widget.observe(tell, ["progress", "numbers", "attempts"])
label"""
DEAD = """\
x, w = Value(-2.0, label="x"), Value(3.0, label="w")
h = (x * w).relu()
h.label = "h"
y = h * 2.0
y.backward()
gg.show(y, mode="blame")"""


def node(widget, index):
    return widget.locator(f'[data-node="{index}"]')


def drag(notebook, card, pixels):
    """Drag a card sideways, as a person does."""
    card.scroll_into_view_if_needed()
    box = card.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = notebook.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + pixels, y, steps=5)
    mouse.up()


@pytest.fixture
def app():
    """Run these in JupyterLab alone: what a picture does is the same in both apps."""
    return "lab"


@pytest.fixture
def nudged(open_notebook):
    """Open `c = a * b + a` in the mode nudge."""
    notebook = open_notebook(SETUP, EXAMPLE.format(mode="nudge"), WATCH)
    notebook.run_all()
    expect(notebook.widget(1).locator(".gg-plot")).to_be_visible()
    return notebook


def test_a_drag_recomputes_the_picture_and_leaves_the_kernel_alone(nudged):
    widget = nudged.widget(1)
    drag(nudged, node(widget, 0).locator(".gg-card"), 50)
    expect(widget.locator(".gg-field")).to_have_value("3")
    expect(node(widget, 3)).to_contain_text("−6")
    expect(widget.locator(".gg-ghost").filter(has_text="−4")).to_be_visible()
    expect(widget.locator(".gg-say")).to_contain_text("a: 2 → 3. c goes from −4 to −6")
    expect(nudged.output(2)).to_contain_text('[2.0, -4.0, 2.0, {"leaf": 0, "data": {"0": 3}}')

    widget.get_by_role("button", name="reset").click()
    expect(node(widget, 3)).to_contain_text("−4")
    expect(widget.locator(".gg-ghost").filter(has_text="was")).to_have_count(0)


def test_keys_and_typing_reach_every_input(nudged):
    widget = nudged.widget(1)
    node(widget, 1).locator(".gg-name").click()
    field = widget.get_by_role("spinbutton", name="b")
    field.fill("5")
    expect(node(widget, 3)).to_contain_text("12")
    field.press("ArrowUp")
    expect(field).to_have_value("5.05")
    field.press("PageDown")
    expect(field).to_have_value("4.55")
    field.fill("five")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(node(widget, 3)).to_contain_text("11.1")


def test_an_operation_of_ones_own_is_asked_of_the_kernel(open_notebook):
    notebook = open_notebook(SETUP, OWN)
    notebook.run_all()
    widget = notebook.widget(1)
    expect(widget.locator(".gg-plot")).to_be_visible()
    drag(notebook, node(widget, 0).locator(".gg-card"), 50)
    expect(widget.locator(".gg-field")).to_have_value("3")
    expect(node(widget, 1)).to_contain_text("30")
    expect(node(widget, 0)).to_contain_text("28")  # 27 + 1, where 12 + 1 was
    expect(widget.locator(".gg-say")).to_contain_text("x: 2 → 3. y goes from 10 to 30")


def test_keep_writes_into_the_kernel(nudged):
    widget = nudged.widget(1)
    widget.locator(".gg-field").fill("4")
    expect(node(widget, 3)).to_contain_text("−8")
    widget.get_by_role("button", name="keep").click()
    expect(widget.get_by_role("button", name="keep")).to_be_disabled()
    expect(node(widget, 3)).to_contain_text("−8")
    expect(widget.locator(".gg-ghost").filter(has_text="was")).to_have_count(0)
    expect(nudged.output(2)).to_contain_text("[4.0, -8.0, 4.0,")


def test_what_the_page_does_not_draw_is_asked_of_the_kernel(open_notebook):
    notebook = open_notebook(
        SETUP,
        "x = Value(1.0, label='x')\n"
        "s = x\n"
        "for _ in range(1500):\n"
        "    s = s + 0.001\n"
        "y = s * x\n"
        "y.backward()\n"
        "gg.show(y, mode='nudge')",
        "print(x.data, y.data)",
    )
    notebook.run_all()
    widget = notebook.widget(1)
    field = widget.locator(".gg-field")
    field.fill("2")
    expect(widget.locator(".gg-say")).to_contain_text("y goes from 2.5 to 7, a change of 4.5")
    notebook.run(2)
    expect(notebook.output(2)).to_contain_text("1.0 2.4999")


def test_predict_judges_diagnoses_and_exports(open_notebook):
    notebook = open_notebook(SETUP, EXAMPLE.format(mode="predict"), WATCH)
    notebook.run_all()
    widget = notebook.widget(1)
    say, field = widget.locator(".gg-say"), widget.locator(".gg-field")
    expect(node(widget, 0)).to_contain_text("?")
    node(widget, 0).hover()
    expect(widget.locator(".gg-tip")).not_to_contain_text("−2")

    for value, said in (
        ("1", "Right. The gradient of a * b is 1"),
        ("-3", "−3 takes the share of the other operand, a"),
        ("2", "Right. The gradient of b is 2"),
        ("-3", "−3 forgets a path: c uses a too"),
        ("-2", "Done. You found 3 of 3 gradients, 1 at the first try"),
    ):
        field.fill(value)
        field.press("Enter")
        expect(say).to_contain_text(said)
    expect(node(widget, 0)).to_contain_text("−2")

    expect(notebook.output(2)).to_contain_text('"answer": -2, "right": true')
    attempts = json.loads(notebook.output(2).inner_text())[-1]
    assert [attempt["right"] for attempt in attempts] == [True, False, True, False, True]
    with notebook.page.expect_download() as download:
        widget.get_by_role("link", name="save attempts").click()
    assert json.loads(download.value.path().read_text()) == attempts


def test_hints_by_keyboard_alone(open_notebook):
    notebook = open_notebook(SETUP, EXAMPLE.format(mode="predict"))
    notebook.run_all()
    widget = notebook.widget(1)
    node(widget, 0).focus()
    notebook.page.keyboard.press("Enter")
    expect(widget.get_by_role("textbox", name="a.grad")).to_be_focused()
    hint = widget.get_by_role("button", name="hint")
    for said in ("a is used by c and a * b", "each factor receives", "(1 × 1) + (−3 × 1)"):
        hint.focus()
        notebook.page.keyboard.press("Enter")
        expect(widget.locator(".gg-say")).to_contain_text(said)
    expect(hint).to_be_disabled()


def test_blame_lights_the_route_to_a_dead_relu(open_notebook):
    notebook = open_notebook(SETUP, DEAD)
    notebook.run_all()
    widget = notebook.widget(1)
    say = widget.locator(".gg-say")
    expect(say).to_contain_text("3 values are worth a question")
    widget.get_by_role("button", name="w", exact=True).first.click()
    expect(say).to_contain_text("w.grad is 0 because h is a relu")
    expect(say).to_contain_text("was −6: relu passes no gradient below 0")
    expect(widget.locator(".gg-edge.gg-route")).to_have_count(2)
    expect(widget.locator(".gg-cause")).to_contain_text("h")
    notebook.page.keyboard.press("Escape")
    expect(widget.get_by_role("button", name="Mode: Look")).to_be_visible()


def test_a_second_backward_is_hatched_until_zeroed(open_notebook):
    notebook = open_notebook(SETUP, EXAMPLE.format(mode=""))
    notebook.run_all()
    widget = notebook.widget(1)
    expect(widget.locator(".gg-stale")).to_have_count(0)
    widget.get_by_role("button", name="backward()").click()
    expect(widget.locator(".gg-notice")).to_contain_text("backward() ran 2 times")
    expect(widget.locator(".gg-stale")).to_have_count(4)
    widget.get_by_role("button", name="zero grads").click()
    expect(widget.locator(".gg-stale")).to_have_count(0)
    expect(widget.locator(".gg-notice")).to_be_hidden()
