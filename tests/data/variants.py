"""Classes that are right, each in its own dialect: a check must not raise an alarm at any."""

from textwrap import dedent

from slips import build, compiled
from whole_classes import EXERCISE, LOCAL_GRADIENTS, PAIRS, SWITCH

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
    "local gradients": lambda: compiled("local gradients", LOCAL_GRADIENTS, "Value"),
    "pairs of a partial and a node": lambda: compiled("pairs", PAIRS, "Node"),
    "one switch for all rules": lambda: compiled("switch", SWITCH, "Value"),
    "the exercise": lambda: compiled("exercise", EXERCISE, "Value"),
}
"""By name, how to make each."""
