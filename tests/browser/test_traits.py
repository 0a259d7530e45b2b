"""What the page changes is seen in the kernel, and the other way round."""

import json
import re

import pytest
from playwright.sync_api import expect

SETUP = "%load_ext glassgrad\nimport glassgrad as gg\nimport math\nfrom glassgrad import Value"
SHOWN = "a, b = Value(2.0), Value(-3.0)\nc = a * b + a\nw = gg.show(c)\nw"
HEARD = """\
import ipywidgets, json

heard, picked = {}, []

def tell(change):
    heard[change.name] = change.new
    label.value = json.dumps([heard, [v and v.data for v in picked], str(w.selected_value)])

label = ipywidgets.Label()
w.on_select(picked.append)
w.observe(tell, ["step", "playing", "speed", "selected", "mode", "rankdir", "precision"])
label"""
SET = """\
w.mode = ""
w.rankdir, w.precision, w.theme, w.height, w.speed = "LR", 2, "dark", 400, 4.0
w.step, w.selected, w.error = 5, 3, "Something happened."
w.history = [3.0, 2.0]"""
LEARNERS = """\
class Value:
    def __init__(self, data, children=(), op="", label=""):
        self.data, self.grad, self.label = data, 0.0, label
        self._prev, self._op, self._backward = set(children), op, lambda: None
    def __add__(self, other):
        out = Value(self.data + other.data, (self, other), "+")
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out
    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), "*")
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,), "tanh")
        def _backward():
            self.grad += (1 - t ** 2) * out.grad
        out._backward = _backward
        return out"""
NEURON = """\
x1, x2, w1, w2 = Value(2.0), Value(0.0), Value(-3.0), Value(1.0)
b = Value(6.8813735870195432)
x1w1 = x1 * w1
x2w2 = x2 * w2
n = x1w1 + x2w2 + b
o = n.tanh()
gg.show(o, mode="by hand")"""


@pytest.fixture
def app():
    """Run these in JupyterLab alone: traits and messages are the same in both apps."""
    return "lab"


def test_traits_go_both_ways(open_notebook):
    notebook = open_notebook(SETUP, SHOWN, HEARD, SET)
    for index in range(3):
        notebook.run(index)
    widget = notebook.widget(1)
    node = widget.locator('[data-node="0"]')
    node.click()
    heard = notebook.output(2)
    expect(heard).to_contain_text('"selected": 0')
    expect(heard).to_contain_text("[2.0]")
    expect(heard).to_contain_text("Value(data=2.0")
    widget.get_by_role("button", name="Speed 1×").click()
    widget.get_by_role("button", name="Next step").click()
    widget.get_by_role("button", name="View").click()
    for item in ("rankdir", "precision"):
        widget.locator(f"[data-item={item}]").click()
    widget.get_by_role("button", name="View").press("Escape")
    widget.get_by_role("button", name="Play").click()
    expect(heard).to_contain_text('"playing": true')
    expect(heard).to_contain_text('"playing": false')
    expect(heard).to_contain_text('"step": 7')
    widget.get_by_role("button", name="Mode:").click()
    widget.locator('[data-item="paths"]').click()
    expect(heard).to_contain_text('"mode": "paths"')
    told = json.loads(heard.inner_text())[0]
    assert (told["speed"], told["rankdir"], told["precision"]) == (2, "TB", 6)
    assert told["step"] == -1  # a mode begins at rest

    notebook.run(3)
    expect(widget).to_have_attribute("data-theme", "dark")
    expect(widget.get_by_role("button", name="Mode: Look")).to_be_visible()
    expect(widget.get_by_role("button", name="Speed 4×")).to_be_visible()
    expect(widget.locator(".gg-error")).to_have_text("Something happened.")
    expect(widget.locator(".gg-course")).to_be_visible()
    expect(widget.locator('[data-node="3"]')).to_have_class(re.compile("gg-pinned"))
    assert widget.locator(".gg-stage").bounding_box()["height"] == 400
    first, last = (widget.locator(f'[data-node="{i}"]').bounding_box() for i in (0, 3))
    assert first["x"] < last["x"]


@pytest.mark.parametrize("kind", ["ours", "a learner's"])
def test_the_lecture_is_played_in_the_widget(open_notebook, kind):
    notebook = open_notebook(
        SETUP,
        LEARNERS if kind != "ours" else "",
        NEURON,
        "print(*(round(v.grad, 3) for v in (x1, w1, x2, w2, b)))",
    )
    for index in range(3):
        notebook.run(index)
    widget = notebook.widget(2)
    say, move = widget.locator(".gg-say"), widget.locator(".gg-call")
    expect(move).to_have_text("o.grad = 1")
    move.click()
    expect(move).to_have_text("o._backward()")
    # Out of order: the product before what waits for it.
    widget.locator("[data-node]").filter(has_text="x1w1").first.click()
    expect(say).to_contain_text("Too early.")
    widget.get_by_role("button", name="put all back", exact=True).click()
    expect(move).to_have_text("o.grad = 1")
    played = []
    while move.is_enabled():
        played.append(move.inner_text())
        move.click()
        expect(move.filter(has_text=played[-1])).to_have_count(0)
    expect(say).to_contain_text("these are the gradients that backward() computes")
    assert played[:3] == ["o.grad = 1", "o._backward()", "n._backward()"]
    notebook.run(3)
    expect(notebook.output(3)).to_have_text("-1.5 1.0 0.5 0.0 0.5")
