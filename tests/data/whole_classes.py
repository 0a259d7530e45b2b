"""Classes that are right and look nothing like each other, as source."""

LOCAL_GRADIENTS = """\
import math


class Value:
    __slots__ = ("data", "grad", "_children", "_local_grads")

    def __init__(self, data, children=(), local_grads=()):
        self.data = data
        self.grad = 0
        self._children = children
        self._local_grads = local_grads

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, (self, other), (1, 1))

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, other):
        return Value(self.data**other, (self,), (other * self.data ** (other - 1),))

    def log(self):
        return Value(math.log(self.data), (self,), (1 / self.data,))

    def exp(self):
        return Value(math.exp(self.data), (self,), (math.exp(self.data),))

    def relu(self):
        return Value(max(0, self.data), (self,), (float(self.data > 0),))

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

    def __rtruediv__(self, other):
        return other * self**-1

    def backward(self):
        topo = []
        visited = set()

        def build_topo(v):
            if v not in visited:
                visited.add(v)
                for child in v._children:
                    build_topo(child)
                topo.append(v)

        build_topo(self)
        self.grad = 1
        for v in reversed(topo):
            for child, local_grad in zip(v._children, v._local_grads):
                child.grad += local_grad * v.grad
"""

PAIRS = '''\
import math


class Node:
    """Remembers pairs of a partial and a node, and hands its gradient down each path."""

    def __init__(self, value, parents=[]):
        self.value = value
        self.gradient = 0.0
        self.parents = list(parents)

    def __add__(self, other):
        other = other if isinstance(other, Node) else Node(other)
        return Node(self.value + other.value, [(1.0, self), (1.0, other)])

    def __mul__(self, other):
        other = other if isinstance(other, Node) else Node(other)
        return Node(self.value * other.value, [(other.value, self), (self.value, other)])

    def __sub__(self, other):
        return self + -1 * other

    def __neg__(self):
        return -1 * self

    __radd__ = __add__
    __rmul__ = __mul__

    def tanh(self):
        t = math.tanh(self.value)
        return Node(t, [(1 - t * t, self)])

    def backward(self, gradient=1.0):
        self.gradient += gradient
        for partial, node in self.parents:
            node.backward(partial * gradient)
'''

SWITCH = '''\
import math


class Value:
    """All rules stand in one method, chosen by the name of the operation."""

    def __init__(self, data, prev=(), op=None):
        self.data, self.prev, self.op, self.grad = data, prev, op, 0.0

    def __add__(self, other):
        other = Value.wrap(other)
        return Value(self.data + other.data, (self, other), "+")

    def __mul__(self, other):
        other = Value.wrap(other)
        return Value(self.data * other.data, (self, other), "*")

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -Value.wrap(other)

    @staticmethod
    def wrap(item):
        return item if isinstance(item, Value) else Value(item)

    def tanh(self):
        return Value(math.tanh(self.data), (self,), "tanh")

    def backprop(self):
        order, seen = [], []

        def visit(value):
            if not any(value is other for other in seen):
                seen.append(value)
                for operand in value.prev:
                    visit(operand)
                order.insert(0, value)

        visit(self)
        self.grad = 1.0
        for value in order:
            if value.op == "+":
                for operand in value.prev:
                    operand.grad += value.grad
            elif value.op == "*":
                first, second = value.prev
                first.grad += second.data * value.grad
                second.grad += first.data * value.grad
            elif value.op == "tanh":
                value.prev[0].grad += (1 - value.data**2) * value.grad
'''

EXERCISE = '''\
import math


class Value:
    """The exercise, solved."""

    def __init__(self, data, _prev=()):
        self.data = data
        self.grad = 0.0
        self._prev = _prev
        self._backward = lambda: None

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,))

        def _backward():
            self.grad += (1 - out.data**2) * out.grad

        out._backward = _backward
        return out

    def backward(self):
        order = []
        visited = set()

        def visit(value):
            if value in visited:
                return
            visited.add(value)
            for operand in value._prev:
                visit(operand)
            order.append(value)

        visit(self)
        self.grad = 1.0
        for value in reversed(order):
            value._backward()

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)
'''
