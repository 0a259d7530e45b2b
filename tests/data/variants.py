"""Classes that are right, each in its own dialect: a check must not raise an alarm at any."""

from textwrap import dedent

from slips import build, compiled

_TANH = "(1 - t**2)"
_WALK = dedent('''\
        order = []
        visited = set()

        def visit(value):
            if value not in visited:
                visited.add(value)
                for operand in value._prev:
                    visit(operand)
                order.append(value)

        visit(self)
        self.grad = 1.0
        for value in reversed(order):
            value._backward()
''')  # fmt: skip


def _changed(name, *changes):
    return lambda: build(name, *changes)


def _walk(body):
    """Replace the body of the driver."""
    lines = [f"        {line}" if line.strip() else line for line in dedent(body).splitlines()]
    right = "\n".join(f"        {line}" if line else "" for line in _WALK.splitlines())
    return right, "\n".join(lines)


_ITERATIVE = """
    order, visited, stack = [], set(), [(self, False)]
    while stack:
        value, done = stack.pop()
        if done:
            order.append(value)
        elif id(value) not in visited:
            visited.add(id(value))
            stack.append((value, True))
            stack.extend((operand, False) for operand in value._prev)
    self.grad = 1.0
    for value in reversed(order):
        value._backward()
"""
_COUNTING = """
    uses, waiting, found = {}, [self], {self}
    while waiting:
        for operand in waiting.pop()._prev:
            uses[operand] = uses.get(operand, 0) + 1
            if operand not in found:
                found.add(operand)
                waiting.append(operand)
    self.grad = 1.0
    ready = [self]
    while ready:
        value = ready.pop()
        value._backward()
        for operand in value._prev:
            uses[operand] -= 1
            if uses[operand] == 0:
                ready.append(operand)
"""
_CLEARING = """
    order, visited = [], set()

    def visit(value):
        if value not in visited:
            visited.add(value)
            value.grad = 0.0
            for operand in value._prev:
                visit(operand)
            order.append(value)

    visit(self)
    self.grad = 1.0
    for value in reversed(order):
        value._backward()
"""

_LOCAL_GRADIENTS = """\
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

_PAIRS = '''\
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

_SWITCH = '''\
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

_EXERCISE = '''\
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

VARIANTS = {
    "as it is": _changed("as it is"),
    "operands in a set": _changed("set", ("tuple(_children)", "set(_children)")),
    "operands in a list": _changed("list", ("tuple(_children)", "list(_children)")),
    "with its own stack": _changed("stack", _walk(_ITERATIVE)),
    "counting uses": _changed("counting", _walk(_COUNTING)),
    "clearing first": _changed("clearing", _walk(_CLEARING)),
    "reads the result": _changed("result", (_TANH, "(1 - out.data * out.data)")),
    "tanh by exponentials": _changed(
        "exponentials",
        ("t = math.tanh(self.data)", "e = math.exp(2 * self.data)\n        t = (e - 1) / (e + 1)"),
    ),
    "careful assignment": _changed(
        "careful",
        ("self.grad += out.data * out.grad", "self.grad = self.grad + out.data * out.grad"),
    ),
    "relu passes at 0": _changed(
        "relu", ("(out.data > 0) * out.grad", "(self.data >= 0) * out.grad")
    ),
    "a leaky relu of its own": _changed(
        "leaky",
        ("def relu(self):", "def leaky_relu(self):"),
        ("max(0.0, self.data)", "max(0.2 * self.data, self.data)"),
        ("(out.data > 0) * out.grad", "(1.0 if self.data > 0 else 0.2) * out.grad"),
    ),
    "a careful log": _changed("log", ("math.log(self.data)", "math.log(self.data + 1e-8)")),
    "gradients are None at first": _changed(
        "none",
        ("        self.grad = 0.0\n", "        self._grad = 0.0\n"),
        (
            "    def __repr__(self):",
            "    @property\n    def grad(self):\n        return self._grad\n\n"
            "    @grad.setter\n    def grad(self, grad):\n        self._grad = grad\n\n"
            "    def __repr__(self):",
        ),
    ),
    "unary minus as its own operation": _changed(
        "neg",
        (
            "        return self * -1\n",
            '        out = Value(-self.data, (self,), "neg")\n\n'
            "        def _backward():\n            self.grad -= out.grad\n\n"
            "        out._backward = _backward\n        return out\n",
        ),
    ),
    "its driver is called backprop": _changed(
        "backprop", ("def backward(self):", "def backprop(self):")
    ),
    "its name is Scalar": _changed(
        "scalar", ("class Value:", "class Scalar:\n    pass\n\n\nclass Value:")
    ),
    "equal by data, walked by identity": _changed(
        "equal",
        (
            "    def __repr__(self):",
            "    def __eq__(self, other):\n"
            "        return self.data == getattr(other, 'data', other)\n\n"
            "    __hash__ = object.__hash__\n\n    def __repr__(self):",
        ),
        _walk(_ITERATIVE),
    ),
    "a comparison that is a Value": _changed(
        "comparison",
        (
            "    def __repr__(self):",
            "    def __lt__(self, other):\n        return Value(float(self.data < other.data))\n\n"
            "    def __repr__(self):",
        ),
    ),
    "prints while it works": _changed(
        "prints",
        (
            "            visit(self)\n".removeprefix("    "),
            "        print(self)\n        visit(self)\n",
        ),
    ),
    "numbers are NumPy's": _changed(
        "numpy",
        ("import math\n", "import math\n\nimport numpy as np\n"),
        ("self.data = data\n", "self.data = np.float64(data)\n"),
        ("t = math.tanh(self.data)", "t = np.tanh(self.data)"),
    ),
    "local gradients": lambda: compiled("local gradients", _LOCAL_GRADIENTS, "Value"),
    "pairs of a partial and a node": lambda: compiled("pairs", _PAIRS, "Node"),
    "one switch for all rules": lambda: compiled("switch", _SWITCH, "Value"),
    "the exercise": lambda: compiled("exercise", _EXERCISE, "Value"),
}
"""By name, how to make each."""
