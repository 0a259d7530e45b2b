"""Calm: nothing jumps, nothing traps, nothing stays behind."""

import json

import pytest
from alone import NUMBERS, chain, open_widget, square, traits
from playwright.sync_api import expect

import glassgrad as gg

SETUP = "%load_ext glassgrad\nimport glassgrad as gg\nfrom glassgrad import Value"


def place(locator):
    box = locator.bounding_box()
    return round(box["x"]), round(box["y"])


def test_closing_leaves_nothing_behind(empty):
    widget = open_widget(empty, square())
    expect(widget.locator("[data-node]")).to_have_count(2)
    for name in ("Mode: Look", "View"):
        widget.get_by_role("button", name=name).click()
        empty.keyboard.press("Escape")
    for mode in ("by hand", "order", "paths", "nudge", "predict", "blame"):
        empty.evaluate("mode => model.set('mode', mode)", mode)
    empty.keyboard.press("?")
    assert empty.evaluate("alive.size") > 0
    assert empty.evaluate("heard()") > 0
    empty.evaluate("close()")
    expect(empty.locator(".gg")).to_have_count(0)
    assert empty.evaluate("[...alive].map(({ target, type }) => `${type} on ${target}`)") == []
    assert empty.evaluate("heard()") == 0


def test_nothing_moves_after_the_first_picture(empty):
    widget = open_widget(empty, chain(3))
    seen = (
        "() => new Promise(done => requestAnimationFrame(() => { const { width, height } ="
        " document.querySelector('.gg').getBoundingClientRect(); done([width, height,"
        " document.querySelector('.gg-world').getAttribute('transform')]); }))"
    )
    frames = [json.dumps(empty.evaluate(seen)) for _ in range(6)]
    expect(widget.locator("[data-node]").first).to_be_visible()
    assert len(set(frames)) == 1


def test_the_same_graph_has_the_same_places(empty):
    open_widget(empty, chain(3))
    empty.evaluate("void render()")
    views = empty.locator(".gg")
    expect(views).to_have_count(2)
    first, second = (
        views.nth(i)
        .locator("[data-node]")
        .evaluate_all("all => all.map(n => n.getAttribute('transform'))")
        for i in (0, 1)
    )
    assert first == second


def test_an_update_leaves_the_node_that_is_looked_at_where_it_is(empty):
    widget = open_widget(empty, chain(3), selected=4)
    node = widget.locator('[data-node="4"]')
    expect(node).to_be_visible()
    before = place(node)
    found = traits(chain(3, start=-1.234567e-9))
    wider = {name: found[name] for name in NUMBERS}
    empty.evaluate("traits => Object.entries(traits).forEach(trait => model.set(...trait))", wider)
    expect(widget.locator('[data-node="0"]')).to_contain_text("−1.235e−9")
    assert place(node) == before


BOX = "mark => { const { x, width } = mark.getBBox(); return { x, width }; }"
STANDING = """() => [".gg-card", ".gg-stage", ".gg-tape"].map(
  (name) => [...document.querySelectorAll(name)].map((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return [node.getAttribute("transform"), x, y, width, height];
  }))"""


def test_numbers_and_notices_that_come_later_move_nothing(empty):
    widget = open_widget(empty, square())
    expect(widget.locator('[data-node="0"]')).to_contain_text("not run")
    before = empty.evaluate(STANDING)
    x = gg.Value(-0.0001234567, label="a")
    y = x * x
    y.label = "b"
    y.backward()
    y.backward()
    found = traits(y)
    later = {name: found[name] for name in NUMBERS}
    empty.evaluate("traits => Object.entries(traits).forEach(trait => model.set(...trait))", later)
    number = widget.locator('[data-node="0"] .gg-num').first
    expect(number).to_have_text("−0.0001235")
    expect(widget.locator(".gg-notice")).to_contain_text("backward() ran 2 times")
    assert empty.evaluate(STANDING) == before
    data, key, grad = (
        widget.locator(f'[data-node="0"] .gg-{name}').nth(at).evaluate(BOX)
        for name, at in (("num", 0), ("key", 1), ("num", 1))
    )
    assert data["x"] + data["width"] < key["x"]
    card = widget.locator('[data-node="0"] .gg-card').evaluate(BOX)
    assert grad["x"] + grad["width"] < card["width"]
    widget.get_by_role("button", name="Last step").click()
    expect(widget.locator(".gg-say")).to_be_visible()
    assert empty.evaluate(STANDING)[1:] == before[1:]


def test_views_stay_in_step(empty):
    open_widget(empty, chain(2))
    empty.evaluate("void render()")
    views = empty.locator(".gg")
    views.nth(0).get_by_role("button", name="Last step").click()
    expect(views.nth(1).locator(".gg-say")).to_be_visible()
    views.nth(0).get_by_role("button", name="View").click()
    views.nth(0).locator("[data-item=precision]").click()
    expect(views.nth(1).locator("[data-item=precision]")).to_contain_text("6 significant digits")


def test_the_wheel_scrolls_the_page(empty):
    widget = open_widget(empty, chain(3))
    empty.evaluate("document.body.style.height = '3000px'")
    expect(widget.locator("[data-node]").first).to_be_visible()
    empty.mouse.move(400, 150)
    empty.mouse.wheel(0, 200)
    empty.wait_for_function("scrollY > 0")


def touched(page):
    """Return a function that puts fingers on the screen: a kind of event, and where they are."""
    session = page.context.new_cdp_session(page)

    def send(kind, *points):
        spots = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    return send


def swipe(page, start, dx, dy):
    send = touched(page)
    (x, y), steps = start, 12
    send("touchStart", start)
    for at in range(1, steps + 1):
        send("touchMove", (x + dx * at / steps, y + dy * at / steps))
    send("touchEnd")


@pytest.mark.parametrize("where", ["ground", "card", "field", "map"])
def test_a_finger_that_goes_up_scrolls_the_page(empty, where):
    mode = "predict" if where == "field" else ""
    widget = open_widget(empty, chain(30 if where == "map" else 3), mode=mode)
    empty.evaluate("document.body.style.height = '3000px'")
    expect(widget.locator("[data-node]").first).to_be_visible()
    world = widget.locator(".gg-world")
    still = world.get_attribute("transform")
    if where == "ground":
        start = (400, 70)
    else:
        name = {"card": "[data-node] .gg-card", "field": ".gg-field", "map": ".gg-map"}[where]
        box = widget.locator(name).first.bounding_box()
        start = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    swipe(empty, start, 0, -60)
    empty.wait_for_function("scrollY > 20")
    assert world.get_attribute("transform") == still
    expect(widget.locator(".gg-pinned")).to_have_count(0)


def test_a_finger_that_goes_sideways_moves_the_picture(empty):
    widget = open_widget(empty, chain(3))
    empty.evaluate("document.body.style.height = '3000px'")
    expect(widget.locator("[data-node]").first).to_be_visible()
    before = place(widget.locator('[data-node="0"]'))
    swipe(empty, (400, 70), 120, 0)
    empty.wait_for_function(
        "before => document.querySelector('[data-node]').getBoundingClientRect().x > before + 90",
        arg=before[0],
    )
    assert place(widget.locator('[data-node="0"]'))[1] == before[1]
    assert empty.evaluate("scrollY") == 0


def test_two_fingers_zoom(empty):
    widget = open_widget(empty, square())
    world = widget.locator(".gg-world")
    expect(widget.locator("[data-node]").first).to_be_visible()
    scale = "world => Number(/scale\\((.*)\\)/.exec(world.getAttribute('transform'))[1])"
    before = world.evaluate(scale)
    send = touched(empty)
    send("touchStart", (380, 200), (420, 200))
    for spread in (30, 40, 50, 60):
        send("touchMove", (400 - spread, 200), (400 + spread, 200))
    send("touchEnd")
    empty.wait_for_function(
        f"before => ({scale})(document.querySelector('.gg-world')) > 2 * before", arg=before
    )


def test_a_tap_pins(empty):
    widget = open_widget(empty, square())
    widget.locator('[data-node="1"]').tap()
    expect(widget.locator(".gg-node.gg-pinned")).to_have_count(1)


@pytest.mark.parametrize("width", [500, 360])
def test_a_page_at_twice_its_size_needs_no_sideways_scrolling(empty, width):
    widget = open_widget(empty, chain(4), width="100%")
    empty.set_viewport_size({"width": width, "height": 350})
    expect(widget.locator("[data-node]").first).to_be_visible()
    assert empty.evaluate("document.documentElement.scrollWidth <= innerWidth")
    inside = widget.evaluate(
        "root => [...root.querySelectorAll('.gg-bar button, .gg-tape button')].filter(b =>"
        " b.offsetParent && !b.closest('.gg-chips') &&"
        " b.getBoundingClientRect().right > root.getBoundingClientRect().right).length"
    )
    assert inside == 0
    expect(widget.locator(".gg-title")).to_be_in_viewport(ratio=1)


def test_who_wants_less_motion_gets_none(empty):
    empty.emulate_media(reduced_motion="reduce")
    root = square()
    root.backward()
    widget = open_widget(empty, root)
    expect(widget.locator(".gg-flow").first).to_be_attached()
    assert widget.evaluate("root => root.getAnimations({ subtree: true }).length") == 0


@pytest.mark.parametrize("app", ["lab"])
def test_an_exception_in_a_rule_is_shown_inside(open_notebook, app):
    notebook = open_notebook(
        SETUP,
        "x = Value(3.0)\ny = x * x\n"
        "def broken():\n    raise ValueError('my rule is not done yet')\n"
        "y._backward = broken\ngg.show(y)",
    )
    notebook.run_all()
    widget = notebook.widget(1)
    widget.get_by_role("button", name="backward()").click()
    expect(widget.locator(".gg-error")).to_contain_text("my rule is not done yet")
    expect(widget.locator("[data-node]")).to_have_count(2)
