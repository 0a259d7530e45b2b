"""A copy of a graph is a graph of its own, however deep; a pickle too."""

import copy
import math
import pickle

import pytest

from glassgrad import Value
from glassgrad.engine.backward import topological_order


def both(value):
    return copy.deepcopy(value), pickle.loads(pickle.dumps(value))


def grads(root):
    return [v.grad for v in topological_order(root)]


def test_backward_on_a_copy_fills_the_copy():
    a, b = Value(2.0, label="a"), Value(3.0, label="b")
    root = (a * b + 1).clamp(0, 5) + (2 - a) ** 2 + a.tanh().sum(b, 1)
    for twin in both(root):
        twin.backward()
        leaf, other = [v for v in topological_order(twin) if v.label]
        assert (a.grad, b.grad) == (0.0, 0.0)
        assert [leaf.label, other.label] == ["a", "b"]
        assert twin.data == root.data
        leaf.data = 1.0
        a_data, a.data = a.data, 1.0
        assert twin.forward() == root.forward()
        a.data = a_data
        root.forward()
        leaf.data = 2.0
        twin.forward()
    root.backward()
    for twin in both(root):
        assert grads(twin) == grads(root)


def test_sharing_survives():
    a = Value(2.0)
    square = a * a
    for twins in (copy.deepcopy([square + 1, square, a]), pickle.loads(pickle.dumps([square, a]))):
        *_, inner, leaf = twins
        assert inner._prev == (leaf, leaf)
    top, inner, leaf = copy.deepcopy([square + 1, square, a])
    assert top._prev[0] is inner


def test_a_chain_of_100_000():
    x = Value(1.0)
    s = x
    for _ in range(100_000):
        s = s + x
    for twin in both(s):
        twin.backward()
        assert topological_order(twin)[0].grad == 100_001.0
    assert x.grad == 0.0


def test_a_rule_of_your_own_follows_the_copy():
    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")

        def _backward():
            self.grad += out.data * out.grad

        out._backward = _backward
        return out

    x = Value(1.0)
    y = exp(x) * 2
    twin = copy.deepcopy(y)
    twin.backward()
    assert x.grad == 0.0
    (inner,) = [v for v in topological_order(twin) if v._op == "exp"]
    assert inner._prev[0].grad == pytest.approx(2 * math.e)


class Parameter(Value):
    frozen = False


def test_attributes_of_a_subclass_come_along():
    p = Parameter(2.0)
    p.frozen = True
    for twin in both(p * 2):
        assert type(twin) is Parameter
        assert twin._prev[0].frozen
    assert copy.copy(p).frozen


def test_a_shallow_copy_shares_its_operands():
    a = Value(2.0)
    y = a * 3
    twin = copy.copy(y)
    assert twin._prev[0] is a
    twin.backward()
    assert (a.grad, y.grad) == (3.0, 0.0)
