"""The three documents that glassgrad grew from: their programs run on our Value, unchanged."""

import math

import pytest

import glassgrad as gg
from glassgrad import Value


def gradients(*values):
    return tuple(value.grad for value in values)


def test_exercise_example():
    a, b = Value(2.0), Value(-3.0)
    c = a * b + a
    c.backward()
    assert c.data == -4.0
    assert gradients(a, b) == (-2.0, 2.0)


def test_exercise_order_of_the_walk():
    a, b = Value(2.0), Value(-3.0)
    d = a * b
    c = d + a
    graph = gg.graph(c)
    order = [graph.nodes[step.node].label for step in gg.steps(c).backward]
    assert order == ["c", "d", "b", "a"]


def test_exercise_contributions_add_up():
    a, b = Value(2.0), Value(-3.0)
    c = a * b + a
    graph = gg.graph(c)
    sent = [
        (graph.nodes[part.operand].label, part.amount, part.total)
        for step in gg.steps(graph).backward
        for part in step.contributions
    ]
    assert sorted(sent[:2]) == [("a", 1.0, 1.0), ("a * b", 1.0, 1.0)]
    assert sent[2:] == [("a", -3.0, -2.0), ("b", 2.0, 2.0)]


@pytest.mark.parametrize("data", [-1.5, 0.0, 3.0])
def test_exercise_value_used_twice_in_one_operation(data):
    a = Value(data)
    (a * a).backward()
    assert a.grad == 2 * data


def test_notebook_by_hand_gradients():
    a, b, c, f = Value(2.0), Value(-3.0), Value(10.0), Value(-2.0)
    e = a * b
    d = e + c
    L = d * f  # noqa: N806 - the lecture's name
    L.backward()
    assert L.data == -8.0
    assert gradients(a, b, c, d, e, f, L) == (6.0, -4.0, -2.0, -2.0, -2.0, 4.0, 1.0)


def neuron(bias):
    """Return the notebook's neuron: o, n, and its inner values and leaves by name."""
    x1, x2 = Value(2.0, label="x1"), Value(0.0, label="x2")
    w1, w2 = Value(-3.0, label="w1"), Value(1.0, label="w2")
    b = Value(bias, label="b")
    x1w1 = x1 * w1
    x1w1.label = "x1*w1"
    x2w2 = x2 * w2
    x1w1x2w2 = x1w1 + x2w2
    n = x1w1x2w2 + b
    o = n.tanh()
    return o, n, (x1w1x2w2, x2w2, x1w1), (x1, w1, x2, w2)


def test_notebook_neuron():
    o, _, _, leaves = neuron(6.8813735870195432)
    o.backward()
    assert o.data == pytest.approx(math.sqrt(0.5))
    assert gradients(*leaves) == pytest.approx((-1.5, 1.0, 0.5, 0.0))


def test_notebook_last_graph():
    a, b = Value(-2.0, label="a"), Value(3.0, label="b")
    d = a * b
    e = a + b
    f = d * e
    f.backward()
    assert f.data == -6.0
    assert gradients(a, b, d, e) == (-3.0, -8.0, 1.0, -6.0)


def test_blog_contrived_example():
    a = Value(-4.0)
    b = Value(2.0)
    c = a + b
    d = b * c
    c += 1 + c + (-a)
    d += d * 2 + (b + a).tanh()
    g = c - d
    g.backward()
    printed = f"{g.data:.4f} {a.grad:.4f} {b.grad:.4f}"
    assert printed == "13.9640 -5.0707 1.9293"


def test_blog_rules_driven_by_hand():
    by_hand, n, inner, leaves = neuron(7)
    by_hand.grad = 1.0
    by_hand._backward()
    n._backward()
    for value in inner:
        value._backward()

    at_once, _, _, leaves_at_once = neuron(7)
    at_once.backward()
    assert gradients(*leaves) == gradients(*leaves_at_once)
    slope = 1 - math.tanh(1.0) ** 2
    assert gradients(*leaves) == pytest.approx((-3 * slope, 2 * slope, slope, 0.0))


def test_lecture_operation_of_ones_own():
    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")

        def _backward():
            self.grad += out.data * out.grad

        out._backward = _backward
        return out

    x = Value(0.5)
    y = exp(x * 2)
    y.backward()
    assert y.data == math.exp(1.0)
    assert x.grad == 2 * math.exp(1.0)


def test_trace_returns_nodes_and_edges():
    a, b = Value(2.0), Value(-3.0)
    d = a * b
    c = d + a
    nodes, edges = gg.trace(c)
    assert nodes == {a, b, d, c}
    assert edges == {(a, d), (b, d), (d, c), (a, c)}


def test_draw_dot_is_a_digraph():
    a, b = Value(2.0, label="a"), Value(-3.0, label="P(x|y) {0} <b>")
    dot = gg.draw_dot(a * b, format="svg", rankdir="TB")
    assert "rankdir=TB" in dot.source
    assert "P(x|y) {0} <b>" in dot.source or "P(x|y) {0} &lt;b&gt;" in dot.source
