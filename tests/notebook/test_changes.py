"""Only what changed is sent, and the page has everything all the same."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glassgrad as gg
from glassgrad.notebook.changes import COLUMNS, travelling

ENTRIES = st.one_of(st.none(), st.sampled_from([0.0, 1.0, "NaN", "Infinity"]), st.floats(-9, 9))
SIZES = {"data": 7, "grad": 7, "slope": 12}
NUMBERS = st.fixed_dictionaries(
    {name: st.lists(ENTRIES, min_size=size, max_size=size) for name, size in SIZES.items()}
    | {"ran": st.booleans(), "notes": st.just({"nodes": [], "edges": []})}
)


def put_together(traits):
    """Return the numbers that a page reads from the traits, as `js/contract.ts` does."""
    numbers = {"ran": traits["changes"]["ran"], "notes": traits["notes"]}
    for name in COLUMNS:
        numbers[name] = list(traits[f"sent_{name}"])
        change = traits["changes"].get(name, {"at": [], "to": []})
        for at, entry in zip(change["at"], change["to"], strict=True):
            numbers[name][at] = entry
    return numbers


@settings(deadline=None)
@given(updates=st.lists(NUMBERS, min_size=1, max_size=6))
def test_what_has_travelled_says_all_of_the_numbers(updates):
    page = {f"sent_{name}": [] for name in COLUMNS}
    for numbers in updates:
        page |= travelling(numbers, {name: page[f"sent_{name}"] for name in COLUMNS})
        assert put_together(page) == numbers


@pytest.fixture
def network():
    """A network with a hundred values and more, its widget, and what is sent from here on."""
    model = gg.nn.MLP(3, [6, 1])
    y = model([1.0, -2.0, 0.5])
    y.backward()
    return model, y, gg.show(y)


def sent_by(widget, act):
    """Return all traits that are sent while something is done, with their values."""
    messages, send = [], widget._send
    widget._send = lambda message, **options: messages.append(message["state"])
    act()
    widget.flush()
    widget._send = send
    return {name: value for state in messages for name, value in state.items()}


def test_columns_that_stay_are_not_sent(network):
    widget = network[2]
    sent = sent_by(widget, lambda: widget._on_message(widget, {"command": "zero_grad"}, []))
    assert set(sent) == {"sent_grad", "changes"}


def test_of_a_column_with_little_news_only_the_news_is_sent(network):
    _, y, widget = network
    whole = len(json.dumps(widget.numbers))
    (leaf,) = [node.id for node in gg.graph(y).nodes if node.data == -2.0]

    def set_one():
        widget._on_message(widget, {"command": "set_grad", "node": leaf, "grad": 7.0}, [])

    sent = sent_by(widget, set_one)
    assert set(sent) == {"changes"}
    assert sent["changes"] == {"ran": True, "grad": {"at": [leaf], "to": [7.0]}}
    assert len(json.dumps(sent)) < whole / 20


def test_traits_that_a_later_view_reads_are_complete(network):
    model, y, widget = network
    for weight in model.parameters()[:3]:
        weight.data += 0.5
        y.forward()
        widget.refresh()
        assert put_together(widget.get_state()) == widget.numbers


def test_nothing_new_is_not_sent(network):
    _, y, widget = network
    assert sent_by(widget, lambda: widget.show_root(y)) == {}
