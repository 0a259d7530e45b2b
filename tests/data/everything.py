"""Programs of any sort, of classes that keep operands and rules in the usual way.

``each_alone`` reads a graph value by value: what any quicker way has to agree with.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import strategies as st
from learner import value_class
from slips import build

from glassgrad.graphs import collect as collecting
from glassgrad.graphs import operations
from glassgrad.graphs.findings import QUIET
from glassgrad.graphs.majority import Majority
from glassgrad.graphs.names import lookup
from glassgrad.graphs.read import read


def bare_class(container):
    """Make a Value class of which each rule is arithmetic, and nothing else."""

    class Value:
        def __init__(self, data, _children=(), _op=""):
            self.data, self.grad, self._op = data, 0.0, _op
            self._prev = container(_children)
            self._backward = lambda: None

        def __add__(self, other):
            other = other if isinstance(other, Value) else Value(other)
            out = Value(self.data + other.data, (self, other), "+")

            def _backward():
                self.grad += out.grad
                other.grad += out.grad

            out._backward = _backward
            return out

        def __mul__(self, other):
            other = other if isinstance(other, Value) else Value(other)
            out = Value(self.data * other.data, (self, other), "*")

            def _backward():
                self.grad += other.data * out.grad
                other.grad += self.data * out.grad

            out._backward = _backward
            return out

        def __pow__(self, other):
            out = Value(self.data**other, (self,), f"**{other}")

            def _backward():
                self.grad += (other * self.data ** (other - 1)) * out.grad

            out._backward = _backward
            return out

        def relu(self):
            out = Value(0 if self.data < 0 else self.data, (self,), "ReLU")

            def _backward():
                self.grad += (out.data > 0) * out.grad

            out._backward = _backward
            return out

        def tanh(self):
            t = math.tanh(self.data)
            out = Value(t, (self,), "tanh")

            def _backward():
                self.grad += (1 - t**2) * out.grad

            out._backward = _backward
            return out

        def exp(self):
            out = Value(math.exp(self.data), (self,), "exp")

            def _backward():
                self.grad += math.exp(self.data) * out.grad

            out._backward = _backward
            return out

        def __abs__(self):
            out = Value(abs(self.data), (self,), "abs")

            def _backward():
                if self.data > 0:
                    self.grad += out.grad
                else:
                    self.grad -= out.grad

            out._backward = _backward
            return out

        def __neg__(self):
            return self * -1

        def __sub__(self, other):
            return self + (-other)

        def __truediv__(self, other):
            return self * other**-1

        def __radd__(self, other):
            return self + other

        def __rmul__(self, other):
            return self * other

    return Value


BARE = [bare_class(container) for container in (set, tuple, list)]
SetValue, TupleValue = value_class(set), value_class(tuple)
Right = build("right")  # its rules of a sum and a product are formulas
CLASSES = [
    *BARE,
    Right,
    SetValue,
    TupleValue,
    value_class(list),
    value_class(set, assigning=True),
    value_class(tuple, raising=True),
]


def told(graph):
    """Return a graph without the facts that are no news."""
    return replace(graph, findings=tuple(f for f in graph.findings if f.kind not in QUIET))


def each_alone(root, names):
    """Read a graph value by value."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(collecting, "alike", lambda _: None)
        patch.setattr(operations, "majority", lambda *_: Majority({}, []))
        return told(read(root, lookup(names)).graph)


NUMBERS = st.one_of(
    st.floats(-3, 3),
    st.integers(-3, 3),
    st.sampled_from([0.0, -0.0, 1, 2.0, math.inf, -math.inf, math.nan, 1e300, 10**400, 5000]),
    st.sampled_from([True, None, np.float64(1.5), np.float32(0.5), np.int64(2), 2**60]),
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["+", "*", "-", "/", "**", "tanh", "relu", "exp", "neg", "square", "+3"]),
        st.integers(0, 30),
        st.integers(0, 30),
    ),
    min_size=1,
    max_size=25,
)
CHANGES = st.lists(st.tuples(st.integers(0, 30), st.sampled_from([1.0, -2, 0.0, math.nan])))

OPERATIONS = {
    "+": lambda x, y: x + y,
    "*": lambda x, y: x * y,
    "-": lambda x, y: x - y,
    "/": lambda x, y: x / y,
    "**": lambda x, y: x**2,
    "tanh": lambda x, y: x.tanh(),
    "relu": lambda x, y: x.relu(),
    "exp": lambda x, y: x.exp(),
    "neg": lambda x, y: -x,
    "square": lambda x, y: x * x,
    "+3": lambda x, y: x + 3,
}


def of_every_operation(cls):
    """Return a value of a class computed by every operation that works there."""
    values = [cls(number) for number in (2.0, -3.0, 0.5)]
    for x in list(values):
        for op in ("+", "*", "-", "**", "tanh", "relu", "exp", "square"):
            try:
                values.append(OPERATIONS[op](x, values[-1]))
            except Exception:  # a slip in the operation itself
                continue
            if type(values[-1]) is not cls:
                values.pop()
    return values[-1]


def program(cls, numbers, steps):
    """Return values: each step makes one of those before, if it can be computed."""
    values = [cls(number) for number in numbers]
    for op, left, right in steps:
        try:
            values.append(OPERATIONS[op](values[left % len(values)], values[right % len(values)]))
        except (ArithmeticError, TypeError, ValueError):
            continue
    return values
