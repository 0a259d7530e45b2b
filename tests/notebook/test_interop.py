"""The widget among others: its traits, links, and the way back to the user's objects."""

import re
from pathlib import Path

import ipywidgets
import pytest
import traitlets

import glassgrad as gg

DOCUMENT = Path(__file__).parents[2] / "docs" / "widget.md"
OWN = {"comm", "keys", "layout", "tabbable", "tooltip"}  # of every ipywidget


@pytest.fixture
def widget():
    a, b = gg.Value(2.0), gg.Value(-3.0)
    return gg.show(a * b + a)


@pytest.mark.parametrize(
    ("name", "wrong", "sentence"),
    [
        ("step", -2, "step needs a position on the tape from 0, or -1 for none; got -2."),
        ("step", "a", "step needs a position on the tape from 0, or -1 for none; got 'a'."),
        ("selected", None, "selected needs the id of a value, or -1 for none; got None."),
        ("mode", "zen", "mode needs one of '', 'by hand', 'order', "),
        ("playing", "yes", "playing needs True or False; got 'yes'."),
        ("speed", 0, "speed needs a number from 0.1 to 10; got 0."),
        ("rankdir", "UP", "rankdir needs one of 'LR', 'TB'; got 'UP'."),
        ("precision", 0, "precision needs a whole number of digits from 1 to 17; got 0."),
        ("theme", "pink", "theme needs one of 'auto', 'light', 'dark'; got 'pink'."),
        ("fold", "all", "fold needs one of None, True, False; got 'all'."),
        ("opened", [3], "opened needs a list of names of groups; got [3]."),
        ("height", -1, "height needs a number of pixels, or 0 for automatic; got -1."),
        ("error", 3, "error needs a sentence, or an empty string; got 3."),
    ],
)
def test_a_wrong_value_is_one_sentence_and_changes_nothing(widget, name, wrong, sentence):
    before = getattr(widget, name)
    with pytest.raises(traitlets.TraitError, match=re.escape(sentence)):
        setattr(widget, name, wrong)
    assert getattr(widget, name) == before


@pytest.mark.parametrize(
    ("name", "kind", "options", "value"),
    [
        ("step", "IntSlider", {"min": -1, "value": -1, "max": 7}, 3),
        ("selected", "IntText", {"value": -1}, 2),
        ("mode", "Dropdown", {"options": ["", "order", "paths"]}, "paths"),
        ("playing", "Checkbox", {"value": False}, True),
        ("speed", "FloatSlider", {"value": 1, "min": 0.1, "max": 10}, 2.0),
        ("rankdir", "ToggleButtons", {"options": ["LR", "TB"]}, "TB"),
        ("precision", "BoundedIntText", {"value": 4, "min": 1, "max": 17}, 6),
        ("theme", "Dropdown", {"options": ["auto", "light", "dark"]}, "dark"),
        ("height", "IntText", {"value": 0}, 300),
    ],
)
def test_traits_link_both_ways(widget, name, kind, options, value):
    control = getattr(ipywidgets, kind)(**options)
    before = control.value
    ipywidgets.link((widget, name), (control, "value"))
    control.value = value
    assert getattr(widget, name) == value
    setattr(widget, name, before)
    assert control.value == before
    other = gg.show(widget.root)
    assert ipywidgets.jslink((widget, name), (other, name)).target == (other, name)


def test_every_synced_trait_is_documented(widget):
    synced = {name for name in widget.traits(sync=True) if not name.startswith("_")} - OWN
    table = DOCUMENT.read_text().partition("\n## Traits\n")[2].partition("\n## ")[0]
    documented = re.findall(r"^\| `(\w+)` ", table, re.MULTILINE)
    assert sorted(documented) == sorted(synced)


def test_the_selected_object_is_the_users_own():
    a, b = gg.Value(2.0), gg.Value(-3.0)
    c = a * b + 1
    widget = gg.show(c)
    assert widget.selected_value is None
    seen = []
    widget.on_select(seen.append)
    for widget.selected in (0, 1, 3, 4, -1, 99):
        pass
    assert seen[0] is a
    assert seen[1] is b
    assert seen[2:] == [1.0, c, None, None]
    widget.on_select(seen.append, remove=True)
    widget.selected = 0
    assert len(seen) == 6
    widget.close()
    assert widget.selected_value is None


def test_the_page_selects_as_well(widget):
    seen = []
    widget.on_select(seen.append)
    widget.set_state({"selected": 0})
    assert [value.data for value in seen] == [2.0]
