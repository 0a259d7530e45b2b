"""The widget for everybody: what axe-core finds, and everything by keyboard."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
SETUP = "%load_ext glassgrad\nimport glassgrad as gg\nfrom glassgrad import Value"
EXAMPLE = "%%autograd\na, b = Value(2.0), Value(-3.0)\nc = a * b + a"
NETWORK = (
    "from glassgrad import nn\nmodel = nn.MLP(3, [4, 1])\n"
    "loss = (model([1.0, -2.0, 0.5]) - 1) ** 2\nloss.backward()\ngg.show(loss)"
)
FOLDED = (
    "from glassgrad import nn\nmodel = nn.MLP(2, [3, 3, 1], seed=1)\n"
    "loss = sum((model([0.1 * k, 1.0]) - 1) ** 2 for k in range(20))\nloss.backward()\n"
    "gg.show(loss, opened=['layer 1'])"
)
CHANGE_THEME = "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })"
THEMES = {
    "JupyterLab Light": "light",
    "JupyterLab Dark": "dark",
    "JupyterLab Dark High Contrast": "dark",
}
VIOLATIONS = """async widget => {
    const { violations } = await axe.run(widget, { resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}"""


@pytest.fixture
def app():
    """Run these in JupyterLab alone: the widget is the same in both apps."""
    return "lab"


def button(widget, name):
    return widget.get_by_role("button", name=name, exact=True)


def option(widget, title):
    button(widget, "View").click()
    widget.locator(f".gg-menu [role^=menuitem][data-item={title}]").click()


def violations(widget):
    return widget.evaluate(VIOLATIONS)


@pytest.mark.parametrize("theme", list(THEMES))
def test_axe_finds_nothing(open_notebook, theme):
    notebook = open_notebook(SETUP, EXAMPLE)
    notebook.run_all()
    widget = notebook.widget(1)
    notebook.page.evaluate(CHANGE_THEME, theme)
    expect(widget).to_have_attribute("data-theme", THEMES[theme])
    notebook.page.evaluate(AXE.read_text(encoding="utf-8"))

    assert violations(widget) == []  # looking
    widget.locator('[data-node="2"]').click()
    expect(widget.locator(".gg-tip")).to_be_visible()
    assert violations(widget) == []  # pinned
    button(widget, "Last step").click()
    button(widget, "Previous step").click()
    expect(widget.locator(".gg-say")).to_be_visible()
    assert violations(widget) == []  # stepping
    option(widget, "table")
    expect(widget.locator(".gg-values tbody tr")).to_have_count(4)
    assert violations(widget) == []
    button(widget, "View").click()
    assert violations(widget) == []  # the menu
    notebook.page.keyboard.press("Escape")
    notebook.page.keyboard.press("/")
    notebook.page.keyboard.type("a *")
    assert violations(widget) == []  # the search
    notebook.page.keyboard.press("Escape")
    notebook.page.keyboard.press("?")
    expect(widget.get_by_role("dialog", name="Keys")).to_be_visible()
    assert violations(widget) == []


MODES = ("by hand", "order", "paths", "nudge", "predict", "blame")


def test_axe_finds_nothing_in_any_mode(open_notebook):
    values = "a, b = Value(2.0), Value(-3.0)\nc = a * b + a\nc.backward()"
    notebook = open_notebook(SETUP, values, *(f"gg.show(c, mode={mode!r})" for mode in MODES))
    notebook.page.set_viewport_size({"width": 1280, "height": 4800})
    notebook.run_all()
    notebook.page.evaluate(AXE.read_text(encoding="utf-8"))
    for theme, colours in THEMES.items():
        notebook.page.evaluate(CHANGE_THEME, theme)
        for number, mode in enumerate(MODES, start=2):
            widget = notebook.widget(number)
            expect(widget.locator("[data-node]")).to_have_count(4)
            expect(widget).to_have_attribute("data-theme", colours)
            assert violations(widget) == [], (theme, mode)


def test_axe_finds_nothing_in_a_folded_picture(open_notebook):
    notebook = open_notebook(SETUP, FOLDED)
    notebook.run_all()
    notebook.page.evaluate(AXE.read_text(encoding="utf-8"))
    widget = notebook.widget(1)
    stack = widget.get_by_role("button", name=re.compile("^layer 2, "))
    for theme, colours in THEMES.items():
        notebook.page.evaluate(CHANGE_THEME, theme)
        expect(widget).to_have_attribute("data-theme", colours)
        stack.focus()
        expect(widget.locator(".gg-tip")).to_be_visible()
        assert violations(widget) == [], theme


def test_everything_by_keyboard(open_notebook, screenshots):
    notebook = open_notebook(SETUP, NETWORK)
    notebook.run_all()
    widget, keyboard = notebook.widget(1), notebook.page.keyboard
    expect(widget.locator("[data-node]").first).to_be_attached()
    assert widget.locator('[data-node][tabindex="0"]').count() == 1
    root = widget.locator('[data-node][tabindex="0"]')
    root.focus()
    keyboard.press("ArrowLeft")
    expect(root).not_to_have_attribute("aria-label", re.compile("root$"))
    keyboard.press("Enter")
    expect(widget.locator(".gg-node.gg-pinned")).to_have_count(1)
    expect(widget.locator(".gg-node.gg-dim").first).to_be_attached()
    keyboard.press("Escape")
    expect(widget.locator(".gg-node.gg-dim")).to_have_count(0)

    keyboard.press("/")
    expect(widget.get_by_role("searchbox", name="Find a value")).to_be_focused()
    keyboard.type("relu")
    expect(widget.locator(".gg-found")).to_contain_text("1 of 4 values")
    keyboard.press("Enter")
    expect(widget.locator(".gg-found")).to_contain_text("2 of 4 values")
    expect(widget.locator(".gg-node.gg-lit")).to_have_count(4)
    notebook.page.screenshot(path=screenshots / "search.png")
    keyboard.press("Escape")
    expect(widget.locator("[data-node]:focus")).to_have_count(1)

    keyboard.press("t")
    table = widget.get_by_role("table")
    expect(table).to_be_visible()
    head = table.get_by_role("columnheader", name="grad")
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    notebook.page.screenshot(path=screenshots / "table.png")
    keyboard.press("t")
    expect(table).to_be_hidden()

    keyboard.press("?")
    expect(widget.get_by_role("dialog", name="Keys")).to_be_visible()
    keyboard.press("Escape")
    expect(widget.get_by_role("dialog", name="Keys")).to_be_hidden()
    keyboard.press("]")
    expect(widget.locator(".gg-say")).to_contain_text("loss")


def test_the_view_menu_sets_traits_and_copies(open_notebook):
    notebook = open_notebook(
        SETUP,
        "a = Value(2.0)\nd = a * 3 + 1\nd.backward()\nw = gg.show(d)\nw",
        "print(w.rankdir, w.precision)",
    )
    notebook.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    notebook.run_all()
    widget = notebook.widget(1)
    expect(widget.locator("[data-node]")).to_have_count(5)
    option(widget, "rankdir")
    expect(widget.locator("[data-item=rankdir]")).to_contain_text("top to bottom")
    widget.locator("[data-item=precision]").click()
    expect(widget.locator("[data-item=precision]")).to_contain_text("6 significant digits")
    widget.locator("[data-item=constants]").click()
    expect(widget.locator("[data-node]")).to_have_count(3)
    widget.locator("[data-item=Python]").click()
    expect(widget.locator("[data-item=Python]")).to_contain_text("in the clipboard")
    copied = notebook.page.evaluate("navigator.clipboard.readText()")
    notebook.run(2)
    expect(notebook.output(2)).to_have_text("TB 6")
    names: dict[str, object] = {}
    exec(copied, names)
    assert names["a"].grad == 3.0
    option(widget, "reset")
    expect(widget.locator("[data-node]")).to_have_count(5)
