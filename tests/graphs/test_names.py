"""Names: the user's own, found without labels."""

import pytest

import glassgrad as gg
from glassgrad.graphs.model import Source
from glassgrad.graphs.names import LONGEST, expression
from glassgrad.graphs.read import read

total = gg.Value(1.0)


def test_names_of_the_calling_function_come_before_those_of_its_module():
    here = total
    assert gg.graph(here).root.label == "here"
    del here
    assert gg.graph(total).root.label == "total"


def test_names_that_are_not_the_users():
    _hidden = self = gg.Value(2.0)
    assert gg.graph(self).root.label == "2"
    assert gg.graph(_hidden).root.label == "2"


def test_names_reach_through_every_door():
    loss = gg.Value(2.0) * 3
    assert gg.graph(gg.draw_dot and loss).root.label == "loss"
    assert "<b>loss&#160;" in gg.draw_dot(loss).source


def test_source_text_names_what_has_no_variable():
    a = gg.Value(2.0)
    b = (a + 1).exp()
    texts = {id(a): "weights[0]", id(b): "a text that is too long to be a name"}
    graph = read(b, source_of=lambda v: Source(4, texts[id(v)]) if id(v) in texts else None).graph
    assert [node.label for node in graph.nodes] == [
        "weights[0]",
        "1",
        "weights[0] + 1",
        "exp(weights[0] + 1)",
    ]
    assert graph.root.source == Source(4, "a text that is too long to be a name")


def test_symbol_stands_where_no_short_expression_does():
    first_long_name = gg.Value(2.0)
    second_long_name = gg.Value(3.0)
    graph = gg.graph((first_long_name * second_long_name).tanh())
    assert [node.label for node in graph.nodes[2:]] == ["×", "tanh"]


@pytest.mark.parametrize(
    ("primitive", "operands", "text"),
    [
        ("add", ["a", "b * c"], "a + b * c"),
        ("sub", ["a", "b - c"], "a - (b - c)"),
        ("sub", ["a - b", "c"], "a - b - c"),
        ("mul", ["a + b", "c"], "(a + b) * c"),
        ("mul", ["f(a + b)", "w[i + 1]"], "f(a + b) * w[i + 1]"),
        ("div", ["a", "b * c"], "a / (b * c)"),
        ("div", ["a", "-3"], "a / (-3)"),
        ("neg", ["a + b"], "-(a + b)"),
        ("neg", ["a**2"], "-a**2"),
        ("pow", ["a**2", "b"], "(a**2)**b"),
        ("pow", ["-a", "0.5"], "(-a)**0.5"),
        ("tanh", ["a + b"], "tanh(a + b)"),
        ("mul", ["hidden layer", "w"], "(hidden layer) * w"),
        ("mul", ["P(x|y)", "w"], "P(x|y) * w"),
        ("mul", ["", "w"], ""),
        ("add", ["a" * LONGEST, "b"], ""),
    ],
)
def test_expression_is_what_python_would_read(primitive, operands, text):
    assert expression(primitive, "", operands) == text
