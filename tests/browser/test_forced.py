"""Forced colours: where the system decides, lines tell apart what shades tell elsewhere."""

import pytest
from alone import exercise, open_widget
from playwright.sync_api import expect

import glassgrad as gg

# All that a person can see of an element's own box, line or text.
LOOK = """element => {
  const style = getComputedStyle(element);
  const names = [
    "color", "backgroundColor", "borderTopColor", "borderTopStyle", "borderTopWidth",
    "outlineStyle", "outlineWidth", "outlineColor", "boxShadow", "textDecorationLine",
    "fill", "stroke", "strokeWidth", "strokeDasharray",
  ];
  return names.map(name => style[name]).join(" | ");
}"""
PAIR = """element => {
  const { color, backgroundColor, forcedColorAdjust } = getComputedStyle(element);
  return [color, backgroundColor, forcedColorAdjust];
}"""


@pytest.fixture
def forced(empty):
    empty.emulate_media(forced_colors="active")
    return empty


def look(locator):
    return locator.evaluate(LOOK)


def button(widget, name):
    return widget.get_by_role("button", name=name, exact=True)


def card(widget, index):
    return widget.locator(f'[data-node="{index}"] .gg-card')


def test_the_system_decides_on_every_colour(forced):
    widget = open_widget(forced, exercise(), theme="dark")
    expect(widget.locator("[data-node]")).to_have_count(4)
    ground = "getComputedStyle(Object.assign(document.body, {style: 'background: Canvas'}))"
    canvas = forced.evaluate(f"{ground}.backgroundColor")
    assert widget.evaluate("e => getComputedStyle(e).backgroundColor") == canvas
    assert card(widget, 0).evaluate("e => getComputedStyle(e).fill") == canvas


@pytest.mark.parametrize("step", [-1, 5])
def test_every_button_can_be_read(forced, step):
    widget = open_widget(forced, exercise(), step=step)
    expect(widget.locator("[data-node]")).to_have_count(4)
    for button in widget.get_by_role("button").and_(widget.locator("button")).all():
        color, ground, adjusted = button.evaluate(PAIR)
        assert color != ground
        assert adjusted == "none"  # or the system puts a plate behind the text


def test_steps_and_lines_are_told_apart(forced):
    with gg.record() as recorded:
        a, b = gg.Value(2.0), gg.Value(-3.0)
        c = a * b + a
        c.backward()
    widget = open_widget(forced, recorded, width="980px", step=5)
    expect(widget.locator("[data-node]")).to_have_count(4)
    chips = [button(widget, name) for name in ("c", "a * b", "b")]
    assert len({look(chip) for chip in chips}) == 3  # done, now, to come
    passes = widget.locator(".gg-passes .gg-button")
    assert look(passes.nth(0)) != look(passes.nth(1))
    lit = widget.locator(".gg-line.gg-on")
    assert look(lit) != look(widget.locator(".gg-line:not(.gg-on)").first)
    positive, negative = widget.locator(".gg-flow.gg-pos"), widget.locator(".gg-flow.gg-neg")
    assert look(positive.first) != look(negative.first)
    assert look(card(widget, 2)) != look(card(widget, 3))  # now, and done


def test_the_quiz_is_told_apart(forced):
    widget = open_widget(forced, exercise(), mode="predict")
    field = widget.get_by_role("textbox")
    plain = look(field)
    field.fill("1")
    field.press("Enter")
    widget.get_by_role("button", name="show").click()
    looks = {look(card(widget, index)) for index in range(4)}
    assert len(looks) == 4  # asked for, shown, found, and the root that nobody asks for
    field.fill("9")
    field.press("Enter")
    forced.keyboard.press("Escape")
    assert look(field) != plain


def test_the_rules_by_hand_are_told_apart(forced):
    open_widget(forced, exercise(), mode="by hand")
    forced.evaluate("close(); delete model.send; void (window.close = render())")  # no kernel
    widget = forced.locator(".gg")
    button(widget, "c.grad = 1").click()
    button(widget, "c._backward()").click()
    assert look(card(widget, 3)) != look(card(widget, 1))  # its rule ran, and did not
    discs = [widget.locator(f'[data-node="{index}"] .gg-disc') for index in (2, 3)]
    assert look(discs[0]) != look(discs[1])


def test_the_menu_shows_where_the_keyboard_is(forced):
    widget = open_widget(forced, exercise())
    widget.get_by_role("button", name="Mode: Look").click()
    items = widget.get_by_role("menuitemradio")
    forced.keyboard.press("ArrowDown")
    expect(items.nth(1)).to_be_focused()
    assert look(items.nth(1)) != look(items.nth(2))
