"""The modes as their users meet them: chosen from the menu, played, left."""

import re

import pytest
from playwright.sync_api import expect

SETUP = "%load_ext glassgrad\nimport glassgrad as gg\nfrom glassgrad import Value"
EXAMPLE = "a, b = Value(2.0), Value(-3.0)\nc = a * b + a\ngg.show(c)"
DIAMONDS = (
    "a, b = Value(2.0), Value(3.0)\n"
    "c = a + b\nd = a * b\ne = c + d\nf = c * d\ny = e + f\ny.backward()\ngg.show(y)"
)
LEARNER = """
class Mine:
    def __init__(self, data, children=(), op=""):
        self.data, self.grad, self._prev, self._op = data, 0.0, set(children), op
        self._backward = lambda: None
    def __mul__(self, other):
        out = Mine(self.data * other.data, (self, other), "*")
        def _backward():
            self.grad = other.data * out.grad
            other.grad = self.data * out.grad
        out._backward = _backward
        return out
    def __add__(self, other):
        out = Mine(self.data + other.data, (self, other), "+")
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out
x, w = Mine(2.0), Mine(5.0)
p = x * w
y = p + x
gg.show(y, mode="by hand")
"""


@pytest.fixture
def app():
    """Run these in JupyterLab alone: what a mode does is the same in both apps."""
    return "lab"


def node(widget, name):
    return widget.locator("[data-node]").filter(has=widget.page.locator(f'text="{name}"')).first


def choose(widget, title):
    widget.get_by_role("button", name="Mode:").click()
    widget.get_by_role("menuitemradio", name=re.compile(f"^{title}")).click()


def button(widget, name):
    return widget.get_by_role("button", name=name, exact=True)


def test_the_manual_sequence_plays_in_the_widget_and_in_the_kernel(open_notebook, screenshots):
    notebook = open_notebook(SETUP, EXAMPLE, "print(a.grad, b.grad, c.grad)")
    notebook.run_all()
    widget = notebook.widget(1)
    choose(widget, "By hand")
    expect(widget.locator(".gg-say")).to_contain_text("Nothing flows until c starts")

    for move, said in [
        ("c.grad = 1", "c starts with gradient 1"),
        ("c._backward()", "passed on 1, its whole gradient"),
        ("(a * b)._backward()", "these are the gradients that backward() computes"),
    ]:
        button(widget, move).click()
        expect(widget.locator(".gg-say")).to_contain_text(said)
    notebook.page.screenshot(path=screenshots / "by-hand.png")
    notebook.run(2)
    expect(notebook.output(2)).to_have_text("-2.0 2.0 1.0")

    button(widget, "undo").click()
    expect(widget.locator(".gg-say")).to_contain_text("c._backward() passed on 1")
    button(widget, "put all back").click()
    expect(button(widget, "c.grad = 1")).to_be_visible()
    notebook.run(2)
    expect(notebook.output(2)).to_have_text("0.0 0.0 0.0")

    widget.locator(".gg-svg").press("Escape")
    expect(widget.get_by_role("button", name="Mode: Look")).to_be_visible()
    expect(widget.locator(".gg-say")).to_be_hidden()


def test_a_press_runs_a_rule_too_early_and_the_picture_says_why(open_notebook):
    notebook = open_notebook(SETUP, DIAMONDS)
    notebook.run_all()
    widget = notebook.widget(1)
    choose(widget, "By hand")
    expect(widget.locator(".gg-say")).to_contain_text("still there")
    button(widget, "zero grads").last.click()
    button(widget, "y.grad = 1").click()
    expect(widget.locator(".gg-say")).to_contain_text("y starts with gradient 1")
    for name in ("y", "e"):
        node(widget, name).click()
        expect(widget.locator(".gg-say")).to_contain_text(f"Right. {name}._backward()")
    node(widget, "c").click()
    expect(widget.locator(".gg-say")).to_contain_text(
        "Too early. c._backward() passed on 1, but f has not contributed yet: "
        "the whole gradient of c is 7."
    )
    expect(node(widget, "c")).to_have_attribute("aria-label", re.compile("rule ran wrongly"))


def test_by_hand_runs_the_learners_own_rules(open_notebook):
    notebook = open_notebook(SETUP, LEARNER, "print(x.grad)")
    notebook.run_all()
    widget = notebook.widget(1)
    button(widget, "y.grad = 1").click()
    node(widget, "y").focus()
    notebook.page.keyboard.press("Enter")
    button(widget, "p._backward()").click()
    expect(widget.locator(".gg-say")).to_contain_text(
        "did not add to the 1 that x held; it left 5 there. Use +=."
    )
    notebook.run(2)
    expect(notebook.output(2)).to_have_text("5.0")


def test_the_order_lab_stops_where_a_gradient_is_read_too_early(open_notebook, screenshots):
    notebook = open_notebook(SETUP, DIAMONDS)
    notebook.run_all()
    widget = notebook.widget(1)
    choose(widget, "Order")
    say = widget.locator(".gg-say")
    expect(say).to_contain_text("runs the rule of c now and reads 1, but f has not contributed yet")
    rows = widget.locator(".gg-totals tbody tr")
    expect(rows.nth(0)).to_contain_text("29")
    expect(rows.nth(0)).to_contain_text("25")
    expect(rows.nth(1)).to_contain_text("22")
    expect(rows.nth(1)).to_contain_text("19")
    notebook.page.screenshot(path=screenshots / "order.png")
    button(widget, "Last step").click()
    expect(say).to_contain_text("ends a with 29 instead of 25")
    button(widget, "first early read").click()
    expect(say).to_contain_text("Read too early.")
    button(widget, "First step").click()
    button(widget, "Play").click()
    expect(widget.locator(".gg-count")).to_have_text("2 of 14 sends")
    button(widget, "Pause").click()


def test_the_path_ledger_adds_up_to_the_gradient(open_notebook, screenshots):
    notebook = open_notebook(SETUP, DIAMONDS)
    notebook.run_all()
    widget = notebook.widget(1)
    choose(widget, "Paths")
    say = widget.locator(".gg-say")
    expect(say).to_contain_text("4 paths lead from a to y")
    expect(say).to_contain_text("The sum is 25, and so is a.grad.")
    node(widget, "b").click()
    expect(say).to_contain_text("4 paths lead from b to y")
    paths = widget.locator(".gg-path")
    expect(paths).to_have_count(4)
    paths.nth(1).click()
    expect(say).to_contain_text("Path 2 of 4.")
    expect(widget.locator(".gg-edge.gg-lit")).to_have_count(3)
    notebook.page.screenshot(path=screenshots / "paths.png")
    button(widget, "Last step").click()
    expect(say).to_contain_text("The sum is 19, and so is b.grad.")


def test_a_mode_is_chosen_and_left_by_keyboard(open_notebook):
    notebook = open_notebook(SETUP, DIAMONDS)
    notebook.run_all()
    widget, keyboard = notebook.widget(1), notebook.page.keyboard
    opener = widget.get_by_role("button", name="Mode: Look")
    opener.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown"):
        keyboard.press(key)
    expect(widget.get_by_role("menuitemradio", name=re.compile("^Order"))).to_be_focused()
    keyboard.press("Enter")
    opener = widget.get_by_role("button", name="Mode: Order")
    expect(opener).to_be_focused()
    keyboard.press("]")
    expect(widget.locator(".gg-count")).to_have_text("3 of 14 sends")
    keyboard.press("Escape")
    expect(widget.get_by_role("button", name="Mode: Look")).to_be_focused()


def test_two_views_of_one_widget_stay_in_one_mode(open_notebook):
    notebook = open_notebook(
        SETUP, DIAMONDS.replace("gg.show(y)", "w = gg.show(y)\nw"), "w", "print(w.mode)"
    )
    notebook.run_all()
    first, second = notebook.widget(1), notebook.widget(2)
    choose(first, "Paths")
    first.locator(".gg-path").nth(2).click()
    expect(second.locator(".gg-say")).to_contain_text("Path 3 of 4.")
    notebook.run(3)
    expect(notebook.output(3)).to_have_text("paths")


def test_the_tape_plays_at_the_speed_that_was_chosen(open_notebook):
    notebook = open_notebook(SETUP, DIAMONDS)
    notebook.run_all()
    widget = notebook.widget(1)
    widget.get_by_role("button", name="Speed 1×").click()
    widget.get_by_role("button", name="Speed 2×").click()
    expect(widget.get_by_role("button", name="Speed 4×")).to_be_visible()
    button(widget, "Play").click()
    expect(widget.locator(".gg-say")).to_contain_text("It came one by one")
    expect(button(widget, "Play")).to_be_visible()
