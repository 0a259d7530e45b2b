"""Large graphs in JupyterLab: stacks that open where they stand, and close again."""

import re

import pytest
from playwright.sync_api import expect

SETUP = "%load_ext glassgrad\nimport glassgrad as gg\nfrom glassgrad import Value, nn"
NETWORK = """model = nn.MLP(2, [3, 3, 1], seed=1)
rows = [[Value(0.05 * k), Value(1 - 0.05 * k)] for k in range(20)]
loss = sum((model(row) - 0.5) ** 2 for row in rows) * 0.05
loss.backward()
widget = gg.show(loss)
widget"""
LATER = """for parameter in model.parameters():
    parameter.data += 0.1
loss.forward()
print(loss.data)"""
MIDDLE = """nodes => {
    const boxes = nodes.map(node => node.querySelector(".gg-card").getBoundingClientRect());
    const [left, top] = ["left", "top"].map(side => Math.min(...boxes.map(box => box[side])));
    const [right, bottom] = ["right", "bottom"].map(s => Math.max(...boxes.map(box => box[s])));
    return [(left + right) / 2, (top + bottom) / 2];
}"""


@pytest.fixture
def app():
    return "lab"


def cards(widget, name):
    return widget.get_by_role("button", name=re.compile(name))


def near(one, other):
    return all(abs(a - b) < 1.5 for a, b in zip(one, other, strict=True))


def test_a_stack_opens_where_it_stands_and_closes_again(open_notebook, screenshots):
    notebook = open_notebook(SETUP, NETWORK, "print(widget.opened)", LATER)
    notebook.run_all()
    widget, keyboard = notebook.widget(1), notebook.page.keyboard
    layer = cards(widget, "^layer 2, 3 neurons × 20, group")
    expect(layer).to_be_visible()
    widget.screenshot(path=screenshots / "folded.png")
    shown = widget.locator("[data-node]").count()
    stood = layer.evaluate_all(MIDDLE)

    layer.locator(".gg-card").click()
    neurons = cards(widget, "^neuron ")
    expect(neurons).to_have_count(3)
    assert near(neurons.evaluate_all(MIDDLE), stood)
    expect(widget.locator("[data-node]")).to_have_count(shown + 2)
    widget.screenshot(path=screenshots / "folded-open.png")

    neurons.nth(1).focus()
    keyboard.press("Enter")
    weights = cards(widget, r"^layer 2\.neuron 2\.w")
    expect(weights).to_have_count(3)
    notebook.run(2)
    expect(notebook.output(2)).to_contain_text("['layer 2', 'layer 2/neuron 2']")

    before = widget.locator(".gg-root .gg-num").first.text_content()
    notebook.run(3)
    expect(widget.locator(".gg-root .gg-num").first).not_to_have_text(before)
    expect(weights).to_have_count(3)

    widget.get_by_role("button", name="layer 2 ×").click()
    expect(layer).to_be_visible()
    expect(widget.locator("[data-node]")).to_have_count(shown)


def test_steps_say_that_the_picture_is_folded_and_modes_unfold_it(open_notebook):
    notebook = open_notebook(SETUP, NETWORK)
    notebook.run_all()
    widget, keyboard = notebook.widget(1), notebook.page.keyboard
    cards(widget, "^loss").focus()
    keyboard.press("]")
    said = widget.locator(".gg-say")
    expect(said).to_contain_text("This picture is folded.")
    widget.get_by_role("button", name="Leave the steps").click()
    expect(said).to_be_hidden()
    widget.get_by_role("button", name="Mode: Look").click()
    widget.get_by_role("menuitemradio", name=re.compile("Nudge")).click()
    expect(widget.locator("[data-node]")).to_have_count(1000)
    widget.get_by_role("button", name="Mode: Nudge").click()
    widget.get_by_role("menuitemradio", name=re.compile("Look")).click()
    expect(cards(widget, "^layer 2, ")).to_be_visible()
    widget.get_by_role("button", name="View", exact=True).click()
    widget.get_by_role("menuitemcheckbox", name=re.compile("Fold stacks")).click()
    expect(widget.locator("[data-node]")).to_have_count(1000)
    expect(widget.get_by_role("button", name="Next step")).to_be_visible()
