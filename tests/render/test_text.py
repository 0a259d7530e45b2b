"""The tree of lines."""

import pytest
from learner import value_class

import glassgrad as gg
from glassgrad.graphs.model import Source
from glassgrad.graphs.names import lookup
from glassgrad.graphs.read import read
from glassgrad.render import render


def test_exercise_with_its_lines():
    a, b = gg.Value(2.0), gg.Value(-3.0)
    product = a * b
    c = product + a
    c.backward()
    places = {id(product): Source(2, "a * b"), id(c): Source(2, "c = a * b + a")}
    graph = read(c, lookup({"a": a, "b": b, "c": c}), lambda v: places.get(id(v))).graph
    assert str(graph).splitlines() == [
        "c = a * b + a      data -4    grad  1    line 2",
        "├─ + ─ a * b       data -6    grad  1    line 2",
        "│      ├─ * ─ a    data  2    grad -2    (two uses)",
        "│      └─ * ─ b    data -3    grad  2",
        "└─ + ─ a           (shown above)",
    ]


def test_before_backward():
    a = gg.Value(0.5)
    b = a.tanh()
    assert str(gg.graph(b)).splitlines() == [
        "b = tanh(a)    data 0.4621    grad not run",
        "└─ tanh ─ a    data 0.5       grad not run",
    ]


def test_neuron_of_the_lecture():
    value = value_class(set)
    x1, x2 = value(2.0, label="x1"), value(0.0, label="x2")
    w1, w2 = value(-3.0, label="w1"), value(1.0, label="w2")
    b = value(6.8813735870195432, label="b")
    n = x1 * w1 + x2 * w2 + b
    n.label = "n"
    o = n.tanh()
    o.label = "o"
    o.backward()
    assert str(gg.graph(o)).splitlines() == [
        "o = tanh(n)                           data  0.7071    grad  1",
        "└─ tanh ─ n                           data  0.8814    grad  0.5",
        "          ├─ + ─ x1 * w1 + x2 * w2    data -6         grad  0.5",
        "          │      ├─ + ─ x1 * w1       data -6         grad  0.5",
        "          │      │      ├─ * ─ x1     data  2         grad -1.5",
        "          │      │      └─ * ─ w1     data -3         grad  1",
        "          │      └─ + ─ x2 * w2       data  0         grad  0.5",
        "          │             ├─ * ─ x2     data  0         grad  0.5",
        "          │             └─ * ─ w2     data  1         grad  0",
        "          └─ + ─ b                    data  6.881     grad  0.5",
    ]


def test_deep_tree_ends_and_says_so():
    x = gg.Value(0.5)
    y = x
    for _ in range(40):
        y = y.tanh()
    lines = str(gg.graph(y)).splitlines()
    assert len(lines) == 14
    assert lines[-2].endswith("(1 operand not shown)")
    assert lines[-1] == "41 values; showing 12 levels below the root."


def test_wide_graph_ends_and_says_so():
    total = gg.Value(0.0)
    for _ in range(500):
        total = total + gg.Value(1.0)
    text = str(gg.graph(total))
    assert text.splitlines()[-1] == "1,001 values; showing the 200 nearest total."
    assert len(text.splitlines()) <= 400


def test_labels_stay_on_their_line():
    a = gg.Value(1.0, label="two\nlines\x1b[2J\r")
    assert str(gg.graph(a)) == "two lines�[2J    data 1    grad not run"


def test_sentences_stand_below_the_tree():
    a = gg.Value(1.0)
    value = value_class(set)
    b = value(1.0) + 1
    b._prev = {b}
    assert str(gg.graph(b)).splitlines()[1].startswith("b is one of its own inputs (b → b)")
    assert len(str(gg.graph(a)).splitlines()) == 1


def test_there_is_no_such_format():
    with pytest.raises(ValueError, match="There is no format 'bmp'; there are text, dot, svg"):
        render(gg.graph(gg.Value(1.0)), "bmp")
