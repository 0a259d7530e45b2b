"""The saved page: opened from the disk, without a server, a kernel or a network."""

from pathlib import Path

import nbformat
import pytest
from learner import value_class
from playwright.sync_api import expect
from test_access import AXE, VIOLATIONS

import glassgrad as gg

GROUNDS = {"light": "rgb(241, 243, 246)", "dark": "rgb(13, 16, 21)"}


def exercise(kind=gg.Value):
    a, b = kind(2.0), kind(-3.0)
    c = a * b + a
    c.backward()
    return gg.graph(c, {"a": a, "b": b, "c": c}), c


@pytest.fixture
def app():
    """Run these in JupyterLab alone: what a page does is the same in both apps."""
    return "lab"


@pytest.fixture
def open_saved(browser, tmp_path):
    """Return what saves something and opens the file; nothing else may be asked for or go wrong."""
    wrong, contexts = [], []

    def open_saved(saved, scheme="light", size=(1280, 800), **options):
        path = saved.save(tmp_path / "page.html")
        width, height = size
        context = browser.new_context(
            color_scheme=scheme, viewport={"width": width, "height": height}, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: note(request.url, path))
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(path.as_uri())
        return page

    def note(address, path):
        if not address.startswith((path.as_uri(), "blob:null/", "data:")):
            wrong.append(address)

    yield open_saved
    for context in contexts:
        context.close()
    assert wrong == []


def node(page, index):
    return page.locator(f'[data-node="{index}"]')


def look(page, mode):
    page.get_by_role("button", name="Look").click()
    page.locator(f'.gg-menu [role^=menuitem][data-item="{mode}"]').click()


def violations(page):
    """Ask axe-core about the whole page; the page's own policy keeps it out of the page's world."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    return page.evaluate(VIOLATIONS.replace("async widget", "async ()").replace("(widget,", "("))


@pytest.mark.parametrize("scheme", GROUNDS)
def test_a_nudge_in_the_file_moves_root_and_gradients(open_saved, scheme, screenshots):
    page = open_saved(exercise()[0], scheme)
    expect(page.locator(".gg")).to_have_attribute("data-theme", scheme)
    expect(page.locator("body")).to_have_css("background-color", GROUNDS[scheme])
    assert page.title() == page.locator("h1").inner_text() == "c = a * b + a"
    expect(node(page, 0)).to_contain_text("−2")
    page.screenshot(path=screenshots / f"saved-{scheme}.png")
    assert violations(page) == []

    look(page, "nudge")
    page.locator(".gg-field").first.fill("5")  # a: 2 → 5
    expect(node(page, 3)).to_contain_text("−10")
    expect(node(page, 1)).to_contain_text("grad 5")
    page.screenshot(path=screenshots / f"saved-nudge-{scheme}.png")
    page.get_by_role("button", name="keep").click()
    expect(page.locator(".gg-ghost").filter(has_text="was")).to_have_count(0)
    expect(node(page, 3)).to_contain_text("−10")
    assert violations(page) == []


def test_the_tape_plays_and_the_buttons_answer(open_saved):
    page = open_saved(exercise()[0])
    page.get_by_role("button", name="Last step").click()
    expect(page.locator(".gg-say")).to_contain_text("a is an input; its gradient is complete: −2.")
    page.get_by_role("button", name="Previous step").click()
    expect(page.locator(".gg-say")).to_contain_text("b is an input; its gradient is complete: 2")
    page.get_by_role("button", name="Leave the steps").click()
    page.get_by_role("button", name="zero grads").click()
    expect(node(page, 1)).to_contain_text("not run")
    page.get_by_role("button", name="backward()").click()
    expect(node(page, 1)).to_contain_text("grad 2")


@pytest.mark.parametrize("mode", ["by hand", "order", "paths", "nudge", "predict", "blame"])
def test_every_mode_opens_in_the_file(open_saved, mode):
    _, root = exercise()
    widget = gg.show(root, mode=mode, theme="dark")
    page = open_saved(widget)
    widget.close()
    expect(page.locator(".gg")).to_have_attribute("data-theme", "dark")
    expect(page.locator("body")).to_have_css("background-color", GROUNDS["dark"])
    expect(page.locator("[data-node]")).to_have_count(4)
    assert violations(page) == []


def test_a_learners_class_is_nudged_where_its_rules_are_known(open_saved):
    graph, _ = exercise(value_class(set))
    page = open_saved(graph)
    look(page, "nudge")
    page.locator(".gg-field").first.fill("5")
    expect(node(page, 3)).to_contain_text("−10")


def odd(value):
    """An operation of the learner's own, which is no row of our table."""
    out = type(value)(value.data**2 + 7 * value.data, (value,), "odd")

    def backward():
        value.grad += (2 * value.data + 7) * out.grad

    out._backward = backward
    return out


def test_what_only_a_kernel_could_compute_is_said_in_one_sentence(open_saved):
    x = value_class(set)(3.0)
    widget = gg.show(odd(x), mode="nudge")
    page = open_saved(widget)
    widget.close()
    page.locator(".gg-field").fill("5")
    expect(page.locator(".gg-say")).to_contain_text("there is no kernel to ask")


def test_a_rule_of_the_learners_own_runs_by_the_slope_that_was_measured(open_saved):
    x = value_class(set)(3.0)
    root = odd(x)
    root.grad = 1.0
    widget = gg.show(root, mode="by hand")
    page = open_saved(widget)
    widget.close()
    node(page, 1).click()
    expect(node(page, 0)).to_contain_text("grad 13")
    assert x.grad == 0.0


def test_the_code_the_table_and_the_search(open_saved, screenshots):
    with gg.record() as recording:
        a, b = gg.Value(2.0), gg.Value(-3.0)
        c = a * b + a
    assert (c.data, b.grad) == (-4.0, 2.0)
    page = open_saved(recording, size=(600, 900))
    expect(page.locator(".gg-code, .gg-gutter").first).to_contain_text("c = a * b + a")
    assert page.evaluate("document.documentElement.scrollWidth") == 600
    page.screenshot(path=screenshots / "saved-narrow.png")
    assert violations(page) == []
    node(page, 0).focus()
    page.keyboard.press("/")
    page.keyboard.type("a *")
    expect(page.locator(".gg-found")).to_contain_text("1 of")
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    expect(page.get_by_role("table").locator("tbody tr")).to_have_count(4)


def test_the_picture_fills_the_window_and_follows_it(open_saved):
    page = open_saved(exercise()[0], size=(1000, 700))
    body, picture = page.locator("body"), page.locator(".gg-stage")
    expect(body).to_have_js_property("offsetHeight", 700)
    assert picture.bounding_box()["height"] > 450
    page.set_viewport_size({"width": 700, "height": 1000})
    expect(body).to_have_js_property("offsetHeight", 1000)
    assert picture.bounding_box()["height"] > 700
    look(page, "nudge")
    expect(page.locator(".gg-plot")).to_be_visible()
    expect(body).to_have_js_property("offsetHeight", 1000)
    page.set_viewport_size({"width": 700, "height": 200})
    expect(picture).to_have_css("height", "320px")


def test_a_chosen_height_stays(open_saved):
    _, root = exercise()
    widget = gg.show(root, height=300)
    page = open_saved(widget)
    widget.close()
    expect(page.locator("[data-node]")).to_have_count(4)
    expect(page.locator(".gg-stage")).to_have_css("height", "300px")


def test_a_saved_notebook_is_live_before_anything_was_run(run_notebook, open_notebook):
    sources = [
        "%load_ext glassgrad\nfrom glassgrad import Value",
        "%%autograd\na, b = Value(2.0), Value(-3.0)\nc = a * b + a",
    ]
    cells = list(map(nbformat.v4.new_code_cell, sources))
    notebook = nbformat.v4.new_notebook(cells=cells)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    opened = open_notebook(notebook=run_notebook(notebook))
    expect(opened.output(1)).to_contain_text("c = a * b + a      data -4")  # not trusted: text
    opened.page.evaluate("() => void window.jupyterapp.commands.execute('notebook:trust')")
    opened.page.get_by_role("dialog").get_by_role("button", name="Trust").click()
    widget = opened.widget(1)
    expect(widget.locator("[data-node]")).to_have_count(4)
    widget.get_by_role("button", name="Last step").click()
    expect(widget.locator(".gg-say")).to_contain_text("a is an input; its gradient is complete")
    widget.get_by_role("button", name="Leave the steps").click()
    widget.get_by_role("button", name="zero grads").click()  # no kernel knows of it
    expect(node(widget, 1)).to_contain_text("not run")
    widget.get_by_role("button", name="backward()").click()
    expect(node(widget, 1)).to_contain_text("grad 2")
    look(widget, "nudge")
    widget.locator(".gg-field").first.fill("5")
    expect(node(widget, 3)).to_contain_text("−10")


def test_labels_are_text(open_saved):
    labels = ["</script><script>alert(1)</script>", "<!-- <script>", "<img src=x onerror=alert(1)>"]
    total = gg.Value(0.0, label="</title><h2>x")
    for label in labels:
        total = total + gg.Value(1.0, label=label)
    total.label = "</title></script><h2>y"
    page = open_saved(gg.graph(total))
    expect(page.locator("h1")).to_contain_text("</title></script><h2>y")
    expect(page.locator("h2")).to_have_count(0)
    expect(page.locator("script")).to_have_count(3)
    expect(page.locator(".gg")).to_contain_text("<!-- <script>")


def test_without_scripts_the_page_is_a_still_picture(open_saved, screenshots):
    page = open_saved(exercise()[0], java_script_enabled=False)
    expect(page.locator("#still pre")).to_contain_text("c = a * b + a      data -4")
    expect(page.locator("#still img")).to_be_visible()
    page.screenshot(path=screenshots / "saved-still.png")


def test_in_print_it_is_the_whole_still_picture(open_saved, screenshots):
    page = open_saved(exercise()[0], "dark")
    expect(page.locator("[data-node]")).to_have_count(4)
    expect(page.locator("#still")).to_be_hidden()
    page.emulate_media(media="print")
    expect(page.locator(".gg")).to_be_hidden()
    expect(page.locator("#still img")).to_be_visible()
    expect(page.locator("#still pre")).to_contain_text("c = a * b + a      data -4")
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    page.screenshot(path=screenshots / "saved-print.png")


def test_a_page_of_a_large_network_opens(open_saved, tmp_path):
    model = gg.nn.MLP(3, [8, 8, 1])
    loss = (model([1.0, -2.0, 0.5]) - 1) ** 2
    loss.backward()
    page = open_saved(gg.graph(loss))
    expect(page.locator("[data-node]").first).to_be_attached()
    assert Path(tmp_path / "page.html").stat().st_size < 2_000_000
