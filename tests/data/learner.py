"""A class as a learner writes it after the lecture, with the container of operands left open.

``value_class(set)`` and ``value_class(tuple)`` give the two usual kinds; ``value_class(set, slip)``
gives one whose rules go wrong in a known way.
"""

import math


def value_class(container=set, *, assigning=False, raising=False):
    """Make a Value class that keeps its operands in `container`.

    With `assigning`, tanh's rule says ``=`` where it should say ``+=``; with `raising`, the rule of
    a product fails after it has served the first factor.
    """

    class Value:
        def __init__(self, data, _children=(), _op="", label=""):
            self.data = data
            self.grad = 0.0
            self._backward = lambda: None
            self._prev = container(_children)
            self._op = _op
            self.label = label

        def __repr__(self):
            return f"Value(data={self.data})"

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
                if raising:
                    raise ZeroDivisionError("division by zero")
                other.grad += self.data * out.grad

            out._backward = _backward
            return out

        def __pow__(self, other):
            out = Value(self.data**other, (self,), f"**{other}")

            def _backward():
                self.grad += other * self.data ** (other - 1) * out.grad

            out._backward = _backward
            return out

        def tanh(self):
            t = math.tanh(self.data)
            out = Value(t, (self,), "tanh")

            def _backward():
                if assigning:
                    self.grad = (1 - t * t) * out.grad
                else:
                    self.grad += (1 - t * t) * out.grad

            out._backward = _backward
            return out

        def relu(self):
            out = Value(max(self.data, 0.0), (self,), "ReLU")

            def _backward():
                self.grad += (out.data > 0) * out.grad

            out._backward = _backward
            return out

        def exp(self):
            out = Value(math.exp(self.data), (self,), "exp")

            def _backward():
                self.grad += out.data * out.grad

            out._backward = _backward
            return out

        def __neg__(self):
            return self * -1

        def __radd__(self, other):
            return self + other

        def __sub__(self, other):
            return self + (-other)

        def __rsub__(self, other):
            return other + (-self)

        def __rmul__(self, other):
            return self * other

        def __truediv__(self, other):
            return self * other**-1

        def backward(self):
            order, seen = [], set()

            def visit(value):
                if value not in seen:
                    seen.add(value)
                    for operand in value._prev:
                        visit(operand)
                    order.append(value)

            visit(self)
            self.grad = 1.0
            for value in reversed(order):
                value._backward()

    return Value
