"""A weighted sum is one node until somebody looks, and nobody can tell the difference."""

import copy
import math
import pickle

import pytest

import glassgrad as gg
from glassgrad import Value
from glassgrad.engine.backward import Extremes, reachable
from glassgrad.engine.weighted import FOLDED, weighted_sum


def make(fold, after=lambda n: n.tanh() * n):
    """The same neuron, folded or from the operators; its leaves and its root."""
    w = [Value(x) for x in (0.5, -1.5, 2.0)]
    x = [Value(2.0) * 1, Value(0.25), Value(-1.0) + 0.5]
    b = Value(0.3)
    n = weighted_sum(w, x, b) if fold else sum((i * j for i, j in zip(w, x, strict=True)), b)
    return [*w, *x, b], n, after(n)


def picture(root):
    """Everything that a graph says, without names."""
    graph = gg.graph(root, names={})
    nodes = [(n.op, n.data, n.grad, n.kind, n.primitive) for n in graph.nodes]
    return nodes, list(graph.edges)


def test_gradients_are_those_of_the_operators():
    (leaves, n, root), (others, m, reference) = make(True), make(False)
    for again in (1, 2):
        root.backward()
        reference.backward()
        assert [v.grad for v in leaves] == pytest.approx([v.grad for v in others], rel=1e-15)
        assert n.grad == m.grad, again
    assert n._form is FOLDED


@pytest.mark.parametrize("ran", [False, True])
def test_the_graph_is_that_of_the_operators(ran):
    (_, n, root), (_, _, reference) = make(True), make(False)
    if ran:
        root.backward()
        reference.backward()
    assert picture(root) == picture(reference)
    assert n._form is not FOLDED
    root.zero_grad()
    root.backward()
    assert root.grad == 1.0


def test_it_takes_few_nodes_until_then():
    _, n, root = make(True, after=lambda n: n)
    before = len(reachable(root))
    assert n._op == "+"
    assert len(n._prev) == 2
    assert len(reachable(root)) == before + 5  # three products, two sums in between


def test_recompute_copy_and_pickle():
    leaves, _, root = make(True)
    others, _, reference = make(False)
    for twin in (copy.deepcopy(root), pickle.loads(pickle.dumps(root))):
        twin.backward()
        assert twin.data == root.data
    for value in (leaves[0], others[0]):
        value.data = 3.0
    assert root.forward() == reference.forward()


def test_derivatives_of_derivatives_see_through_it():
    def f(a, b):
        return gg.tanh(weighted_sum([a, b], [b, a], a))

    plain = gg.hessian(lambda a, b: gg.tanh(a + a * b + b * a))(0.3, -0.7)
    for row, reference in zip(gg.hessian(f)(0.3, -0.7), plain, strict=True):
        assert row == pytest.approx(reference, rel=1e-14)


def test_an_infinite_product_is_met(monkeypatch):
    monkeypatch.setattr(Extremes, "met", False)
    w, x = Value(math.inf), Value(-1.0)
    weighted_sum([w], [x], Value(0.0)).relu().backward()
    assert math.isnan(x.grad)


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="zip"):
        weighted_sum([Value(1.0)], [], Value(0.0))
