"""Pictures that follow: a slider, a later cell, and a loop, as they are seen in the page."""

import re

from playwright.sync_api import expect

SETUP = "%load_ext glassgrad\nimport glassgrad as gg\nfrom glassgrad import Value, nn"
EXPLORE = """def f(a, b):
    return a * b + a

explorer = gg.explore(f, a=(-5, 5, 0.5), b=-3.0)
explorer.controls["a"].value = 2.0
explorer"""
NETWORK = """model = nn.MLP(2, [2, 1], seed=4, activation="tanh")
loss_now = lambda: (model([0.5, -0.8]) - 1.0) ** 2
loss = loss_now()
loss.backward()
widget = gg.show(loss)
widget.refresh()
widget.refresh(loss)
widget"""
LOOP = """with gg.live(widget):
    for step in range(200):
        loss = loss_now()
        model.zero_grad()
        loss.backward()
        for parameter in model.parameters():
            parameter.data -= 0.003 * parameter.grad
loss = loss_now()
model.zero_grad()
loss.backward()
widget.refresh(loss)
print(f"loss is {loss.data:.4g}")"""
PLACES = """widget => Array.from(widget.querySelectorAll("[data-node]"), node => [
    node.dataset.node, node.getAttribute("transform")
])"""
MARK = """widget => {
    for (const node of widget.querySelectorAll("[data-node]")) node.marked = true;
}"""
MARKED = """widget =>
    Array.from(widget.querySelectorAll("[data-node]"), node => node.marked === true)"""


def node(widget, index):
    return widget.locator(f'[data-node="{index}"]')


def test_a_slider_changes_the_numbers_in_the_page(open_notebook):
    notebook = open_notebook(SETUP, EXPLORE)
    notebook.run_all()
    widget = notebook.widget(1)
    root = node(widget, 3)
    expect(root).to_contain_text("−4")

    readout = notebook.cell(1).locator(".widget-readout")
    readout.fill("2.5")
    readout.press("Enter")
    expect(node(widget, 0)).to_contain_text("2.5")
    expect(root).to_contain_text("−5")

    field = notebook.cell(1).locator("input[type=number]")
    field.fill("4")
    field.press("Enter")
    expect(root).to_contain_text("12.5")
    expect(node(widget, 0)).to_contain_text("5")


def test_a_later_cell_changes_the_picture_above_it(open_notebook):
    notebook = open_notebook(SETUP, "x = Value(3.0)\ny = x * x\ngg.show(y)", "y.backward()")
    notebook.run(0)
    notebook.run(1)
    widget = notebook.widget(1)
    expect(node(widget, 0)).to_contain_text("not run")
    notebook.run(2)
    expect(node(widget, 0)).not_to_contain_text("not run")
    expect(node(widget, 0)).to_contain_text("6")


def test_a_loop_ends_with_the_last_numbers_and_the_course_of_the_loss(
    open_notebook, screenshots, app
):
    notebook = open_notebook(SETUP, NETWORK, LOOP)
    notebook.run(0)
    notebook.run(1)
    widget = notebook.widget(1)
    expect(widget.locator("[data-node]").first).to_be_visible()
    expect(widget.locator(".gg-course")).to_be_visible()
    places = widget.evaluate(PLACES)
    widget.evaluate(MARK)

    notebook.run(2)
    printed = notebook.output(2)
    expect(printed).to_contain_text(re.compile(r"loss is 0\.\d+"))
    last = printed.inner_text().removeprefix("loss is ").strip()
    expect(node(widget, 28)).to_contain_text(last)
    course = widget.locator(".gg-course")
    expect(course).to_be_visible()
    expect(course).to_have_attribute("aria-label", re.compile(rf"→ {last} in 203 steps"))
    points = course.locator("polyline").get_attribute("points").split()
    assert len(points) == 203
    heights = [float(point.split(",")[1]) for point in points]
    assert heights == sorted(heights)  # down the page: the loss falls

    assert widget.evaluate(PLACES) == places  # nothing moved
    assert all(widget.evaluate(MARKED))  # and nothing was drawn anew
    widget.screenshot(path=screenshots / f"live-loop-{app}.png")
