"""Predict on the card: the answer is typed where the gradient is hidden."""

import re

import pytest
from alone import exercise, open_widget
from playwright.sync_api import expect


def node(widget, index):
    return widget.locator(f'[data-node="{index}"]')


def answers(widget):
    return widget.get_by_role("textbox")


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def is_on(field, card):
    inner, outer = field.bounding_box(), card.bounding_box()
    return (
        outer["x"] < inner["x"]
        and inner["x"] + inner["width"] < outer["x"] + outer["width"]
        and outer["y"] < inner["y"]
        and inner["y"] + inner["height"] < outer["y"] + outer["height"]
    )


@pytest.fixture
def quiz(empty):
    """Return the quiz about `c = a * b + a`; it asks for `a * b`, `b` and `a`."""
    return open_widget(empty, exercise(), mode="predict")


def test_the_field_goes_from_card_to_card(quiz):
    keyboard, field = quiz.page.keyboard, answers(quiz)
    node(quiz, 2).locator(".gg-name").click()
    expect(field).to_be_focused()
    assert is_on(field, node(quiz, 2).locator(".gg-card"))
    keyboard.type("1")
    keyboard.press("Enter")
    expect(quiz.locator(".gg-say")).to_contain_text("Right. The gradient of a * b is 1.")
    expect(quiz.get_by_role("textbox", name="b.grad")).to_be_focused()
    assert is_on(field, node(quiz, 1).locator(".gg-card"))

    keyboard.press("Tab")
    expect(quiz.get_by_role("textbox", name="a.grad")).to_be_focused()
    keyboard.press("ArrowUp")
    expect(quiz.get_by_role("textbox", name="b.grad")).to_be_focused()
    keyboard.type("-3")
    keyboard.press("Enter")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(quiz.locator(".gg-say")).to_contain_text("takes the share of the other operand, a")
    keyboard.type("2")
    expect(field).not_to_have_attribute("aria-invalid", "true")
    keyboard.press("Enter")
    expect(node(quiz, 1)).to_contain_text("grad 2")
    keyboard.type("-2")
    keyboard.press("Enter")
    expect(quiz.locator(".gg-say")).to_contain_text("Done.")
    expect(field).to_be_hidden()
    expect(node(quiz, 0)).to_be_focused()


def test_escape_leaves_the_field_then_the_mode(quiz):
    keyboard = quiz.page.keyboard
    answers(quiz).focus()
    keyboard.press("Tab")
    keyboard.press("Escape")
    expect(node(quiz, 1)).to_be_focused()
    keyboard.press("Enter")
    expect(quiz.get_by_role("textbox", name="b.grad")).to_be_focused()
    keyboard.press("Tab")
    keyboard.press("Tab")  # past the last question the keyboard goes on to the buttons
    expect(answers(quiz)).not_to_be_focused()
    keyboard.press("Escape")
    expect(quiz.get_by_role("button", name="Mode: Look")).to_be_visible()
    expect(answers(quiz)).to_have_count(0)


def test_the_field_follows_the_camera(quiz):
    field, card = answers(quiz), node(quiz, 2).locator(".gg-card")
    small = field.bounding_box()["width"]
    zoom = {name: quiz.get_by_role("button", name=name) for name in ("Zoom in", "Zoom out")}
    zoom["Zoom in"].click()
    zoom["Zoom in"].click()
    assert is_on(field, card)
    assert field.bounding_box()["width"] > 1.4 * small
    for _ in range(8):
        zoom["Zoom out"].click()
    far, below = field.bounding_box(), card.bounding_box()
    assert far["y"] >= below["y"] + below["height"]
    assert far["height"] > 15
    field.fill("1")
    field.press("Enter")
    expect(quiz.locator(".gg-say")).to_contain_text("Right.")


def test_writing_brings_a_card_that_was_moved_away_back_into_sight(quiz):
    field, stage = answers(quiz), quiz.locator(".gg-stage")
    field.focus()
    box, mouse = stage.bounding_box(), quiz.page.mouse
    mouse.move(box["x"] + 60, box["y"] + 20)
    mouse.down()
    mouse.move(box["x"] + 800, box["y"] + 20, steps=4)
    mouse.up()
    x, _ = middle(field)
    assert x > box["x"] + box["width"]
    field.focus()
    quiz.page.keyboard.type("1")
    x, _ = middle(field)
    assert x < box["x"] + box["width"]
    assert stage.evaluate("e => e.scrollLeft") == 0


def test_without_a_picture_the_field_stands_in_the_panel(quiz):
    field = answers(quiz)
    quiz.locator(".gg-svg").press("t")
    expect(quiz.get_by_role("table")).to_be_visible()
    expect(quiz.locator(".gg-field-row")).to_contain_text("(a * b).grad =")
    field.fill("1")
    field.press("Enter")
    expect(quiz.locator(".gg-field-row")).to_contain_text("b.grad =")
    expect(quiz.get_by_role("row", name=re.compile(r"^a \* b"))).to_contain_text("1")


def test_a_tap_asks(quiz):
    node(quiz, 0).locator(".gg-name").tap()
    expect(quiz.get_by_role("textbox", name="a.grad")).to_be_focused()
