"""The wire: golden files that vitest reads too, and what no message may ever be."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from learner import value_class
from regenerate import GOLDEN, text_of

import glassgrad as gg
from glassgrad.graphs.model import Source
from glassgrad.graphs.names import lookup
from glassgrad.graphs.read import read
from glassgrad.notebook.wire import Code, encode, numbers, to_json

FILES = Path(__file__).parents[1] / "wire"
ANY_FLOAT = st.floats(allow_nan=True, allow_infinity=True)


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_file_is_what_is_encoded_today(name):
    assert text_of(GOLDEN[name]()) == (FILES / f"{name}.json").read_text()


def test_every_golden_file_has_its_program():
    assert {path.stem for path in FILES.glob("*.json")} == set(GOLDEN)


def test_exercise_is_the_documented_message():
    wire = GOLDEN["exercise"]()
    assert wire["graph"]["nodes"]["label"] == ["a", "b", "a * b", "c"]
    assert wire["graph"]["edges"] == {
        "source": [0, 1, 2, 0],
        "target": [2, 2, 3, 3],
        "operand": [0, 1, 0, 1],
        "count": [1, 1, 1, 1],
    }
    assert wire["graph"]["code"]["marks"] == [
        {"line": 1, "nodes": [0, 1]},
        {"line": 2, "nodes": [2, 3]},
    ]
    assert wire["numbers"] == {
        "ran": True,
        "data": [2.0, -3.0, -6.0, -4.0],
        "grad": [-2.0, 2.0, 1.0, 1.0],
        "slope": [-3.0, 2.0, 1.0, 1.0],
        "notes": {"nodes": [], "edges": [], "cells": []},
    }


def test_before_backward_there_are_no_gradients_to_show():
    wire = GOLDEN["exercise-not-run"]()
    assert wire["numbers"]["ran"] is False
    assert wire["numbers"]["grad"] == [None] * 4


def test_gradient_left_from_an_earlier_backward_is_shown_before_the_next():
    a = gg.Value(2.0)
    (a * 3).backward()
    b = a * a
    assert numbers(gg.graph(b)) == {
        "ran": False,
        "data": [2.0, 4.0],
        "grad": [3.0, None],
        "slope": [2.0, 2.0],
        "notes": {"nodes": [], "edges": [], "cells": []},
    }


@settings(deadline=None)
@given(x=ANY_FLOAT, y=ANY_FLOAT)
def test_any_number_travels_as_valid_json(x, y):
    a, b = gg.Value(x), gg.Value(y)
    c = (a * b + a / b).exp()
    c.backward()
    text = to_json(gg.graph(c))
    assert json.loads(text, parse_constant=pytest.fail)["numbers"]["ran"] in (True, False)


def test_infinity_times_zero_is_named():
    y = gg.Value(float("inf")) * 0.0
    assert numbers(gg.graph(y))["data"] == ["Infinity", 0.0, "NaN"]


@settings(deadline=None)
@given(label=st.text())
def test_labels_travel_as_they_are(label):
    a = gg.Value(1.0, label=label)
    b = a + a
    wire = json.loads(to_json(gg.graph(b, {"b": b})))
    assert wire["graph"]["nodes"]["label"][0] == (label or "1")


def test_numbers_alone_are_those_of_the_whole_message():
    x = gg.Value(0.5)
    y = x
    for _ in range(30):
        y = y.tanh() * x
    y.backward()
    graph = gg.graph(y)
    assert numbers(graph, limit=10) == encode(graph, limit=10)["numbers"]


def test_what_is_cut_off_is_counted():
    x = gg.Value(1.0)
    y = (x + x).tanh().exp()
    wire = encode(gg.graph(y, {"y": y}), limit=2)["graph"]
    assert wire["total"] == 4
    assert wire["operations"] == 3
    assert wire["notice"] == "4 values; showing the 2 nearest y."
    assert wire["nodes"]["id"] == [2, 3]
    assert wire["nodes"]["hidden"] == [1, 0]
    assert wire["root"] == 1
    assert wire["edges"]["source"] == [0]


def test_notes_of_a_part_are_those_of_what_is_drawn():
    value = value_class(set, assigning=True)
    x = value(0.5)
    y = x.tanh() * x.tanh()
    whole, part = (numbers(gg.graph(y, {"y": y}), limit=limit)["notes"] for limit in (9, 2))
    assert [node for node, _ in whole["nodes"]] == [1, 2]
    assert [edge for edge, *_ in whole["edges"]] == [0, 1]
    assert ([node for node, _ in part["nodes"]], part["edges"]) == ([0], [])


def test_marks_leave_out_what_is_not_drawn():
    x = gg.Value(1.0)
    y = (x + x).tanh().exp()
    lines = {id(x): 1, id(y): 2}

    def source_of(value):
        return Source(lines[id(value)], None) if id(value) in lines else None

    graph = read(y, lookup({"y": y}), source_of).graph
    code = Code(["x = Value(1.0)", "y = (x + x).tanh().exp()"], runs={1: [[0]], 2: [[1, 2, 3]]})
    assert encode(graph, code=code, limit=2)["graph"]["code"]["marks"] == [
        {"line": 1, "nodes": []},
        {"line": 2, "nodes": [0, 1]},
    ]
    loop = Code(["y = x"], runs={1: [[0], [1, 2], [2, 3]]}, h=0.5, slopes={0: 1.0, 3: 2.0})
    assert encode(graph, code=loop, limit=2)["graph"]["code"] == {
        "first": 1,
        "lines": ["y = x"],
        "failed": None,
        "marks": [{"line": 1, "nodes": [0, 1], "runs": [[0], [0, 1]]}],
        "measured": {"h": 0.5, "slope": [None, 2.0]},
    }
    assert encode(graph, code=Code([], first=4, failed=5))["graph"]["code"] == {
        "first": 4,
        "lines": [],
        "failed": 5,
        "marks": [{"line": 1, "nodes": [0]}, {"line": 2, "nodes": [3]}],
    }


@pytest.mark.parametrize(("power", "text"), [(3, "3 · {x}^(3 − 1)"), (-1, "(−1) · {x}^((−1) − 1)")])
def test_power_of_a_class_that_keeps_the_exponent_is_a_rule_of_one_operand(power, text):
    x = value_class(set)(2.0)
    y = x**power
    wire = encode(gg.graph(y))
    (rule,) = wire["graph"]["rules"].values()
    assert rule["variables"] == ["x"]
    assert [partial["text"] for partial in rule["partials"]] == [text]
    assert "y" not in json.dumps(rule["partials"][0]["expr"])
    assert wire["numbers"]["slope"] == [power * 2.0 ** (power - 1)]


def test_rules_are_sent_once():
    x = gg.Value(0.5)
    y = x
    for _ in range(5):
        y = y.tanh()
    assert list(encode(gg.graph(y))["graph"]["rules"]) == ["tanh"]


def test_encoding_needs_neither_ipython_nor_ipywidgets():
    program = (
        "import sys, glassgrad as gg; from glassgrad.notebook.wire import to_json;"
        "to_json(gg.graph(gg.Value(2.0) * 3));"
        "print(sorted({'IPython', 'anywidget', 'ipywidgets', 'traitlets', 'numpy', 'graphviz'}"
        " & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
