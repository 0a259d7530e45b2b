"""A copy of a graph is a graph of its own, however deep; a pickle too."""

import copy
import functools
import math
import pickle
import subprocess
import sys

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


def by_closure(out, x):
    def rule():
        x.grad += 3 * out.grad

    return rule


def by_operands(out, x):
    operands = [x]

    def rule():
        for operand in operands:
            operand.grad += 3 * out.grad

    return rule


def by_default(out, x):
    def rule(out=out, *, operands=(x,)):
        operands[0].grad += 3 * out.grad

    return rule


def by_helper(out, x):
    def share(again):
        if again:
            share(again - 1)
        x.grad += 1.5 * out.grad

    return lambda: share(1)


def passed_on(out, x, slope):
    x.grad += slope * out.grad


@pytest.mark.parametrize(
    "make",
    [
        by_closure,
        by_operands,
        by_default,
        by_helper,
        lambda out, x: functools.partial(passed_on, out, x=x, slope=3.0),
        lambda out, x: Triple.run.__get__(out),
    ],
)
def test_a_rule_may_mention_its_values_in_many_ways(make):
    x = Value(1.0)
    out = Triple(3.0, (x,), "triple")
    out._backward = make(out, x)
    twin = copy.deepcopy(out * 2)
    twin.backward()
    assert (x.grad, twin._prev[0]._prev[0].grad) == (0.0, 6.0)
    (out * 2).backward()
    assert x.grad == 6.0


class Triple(Value):
    def run(self):
        self._prev[0].grad += 3 * self.grad


def test_gradients_that_are_values_are_copied_as_graphs_and_pickled_as_numbers():
    x = Value(2.0)
    y = x**3
    y.backward(create_graph=True)
    _, twin_x = copy.deepcopy((y, x))
    assert isinstance(twin_x.grad, Value)
    assert twin_x in topological_order(twin_x.grad)
    assert x not in topological_order(twin_x.grad)
    for value in (y, x):
        pickle.loads(pickle.dumps(value))
    assert pickle.loads(pickle.dumps(x)).grad == 12.0


def test_copies_of_many_values_of_one_graph_take_one_walk():
    values = [Value(1.0)]
    for _ in range(20_000):
        values.append(values[-1] + 1)
    assert len(topological_order(copy.deepcopy(values)[-1])) == 20_001


def test_a_pickle_remembers_that_an_infinite_slope_hides_in_it():
    x = Value(0.0)
    pickled = pickle.dumps(((x.sqrt() - 1.0).relu(), x))
    source = "import pickle, sys; y, x = pickle.load(sys.stdin.buffer); y.backward(); print(x.grad)"
    done = subprocess.run(
        [sys.executable, "-c", source], input=pickled, capture_output=True, check=True
    )
    assert done.stdout.decode().strip() == "nan"


class Parameter(Value):
    frozen = False


def test_attributes_of_a_subclass_come_along():
    p = Parameter(2.0)
    p.frozen = True
    p.twice = p * 2  # mentions p
    root = p * 2
    root.me = root
    for twin in both(root):
        assert type(twin) is Parameter
        assert twin.me is twin
        assert twin._prev[0].frozen
    assert copy.deepcopy(p * 2)._prev[0].twice._prev[0] is not p
    assert copy.copy(p).frozen


def test_a_shallow_copy_shares_its_operands():
    a = Value(2.0)
    y = a * 3
    twin = copy.copy(y)
    assert twin._prev[0] is a
    twin.backward()
    assert (a.grad, y.grad) == (3.0, 0.0)
