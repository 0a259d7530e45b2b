"""A learner's class with one slip each, made by changing one place of a class that is right.

A slip is a piece of the right source and what stands there instead; beside it, what a check should
say and which line it should point at.  ``SLIPS`` must all be found, ``VARIANTS`` are all right.
"""

import linecache
from dataclasses import dataclass
from textwrap import dedent

RIGHT = dedent("""\
    import math


    class Value:
        def __init__(self, data, _children=(), _op="", label=""):
            self.data = data
            self.grad = 0.0
            self._backward = lambda: None
            self._prev = tuple(_children)
            self._op = _op
            self.label = label

        def __repr__(self):
            return f"Value(data={self.data})"

        def __add__(self, other):
            other = other if isinstance(other, Value) else Value(other)
            out = Value(self.data + other.data, (self, other), "+")

            def _backward():
                self.grad += 1.0 * out.grad
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
            assert isinstance(other, (int, float))
            out = Value(self.data**other, (self,), f"**{other}")

            def _backward():
                self.grad += other * self.data ** (other - 1) * out.grad

            out._backward = _backward
            return out

        def __truediv__(self, other):
            other = other if isinstance(other, Value) else Value(other)
            out = Value(self.data / other.data, (self, other), "/")

            def _backward():
                self.grad += 1 / other.data * out.grad
                other.grad += -self.data / other.data**2 * out.grad

            out._backward = _backward
            return out

        def tanh(self):
            t = math.tanh(self.data)
            out = Value(t, (self,), "tanh")

            def _backward():
                self.grad += (1 - t**2) * out.grad

            out._backward = _backward
            return out

        def sigmoid(self):
            s = 1 / (1 + math.exp(-self.data))
            out = Value(s, (self,), "sigmoid")

            def _backward():
                self.grad += s * (1 - s) * out.grad

            out._backward = _backward
            return out

        def exp(self):
            out = Value(math.exp(self.data), (self,), "exp")

            def _backward():
                self.grad += out.data * out.grad

            out._backward = _backward
            return out

        def log(self):
            out = Value(math.log(self.data), (self,), "log")

            def _backward():
                self.grad += 1 / self.data * out.grad

            out._backward = _backward
            return out

        def relu(self):
            out = Value(max(0.0, self.data), (self,), "ReLU")

            def _backward():
                self.grad += (out.data > 0) * out.grad

            out._backward = _backward
            return out

        def cube(self):
            out = Value(self.data**3, (self,), "cube")

            def _backward():
                self.grad += 3 * self.data**2 * out.grad

            out._backward = _backward
            return out

        def __neg__(self):
            return self * -1

        def __sub__(self, other):
            return self + (-other)

        def __radd__(self, other):
            return self + other

        def __rmul__(self, other):
            return self * other

        def __rsub__(self, other):
            return Value(other) - self

        def __rtruediv__(self, other):
            return Value(other) / self

        def backward(self):
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
""")


def build(name, *changes):
    """Make the class with some pieces of the source changed; its source is known to linecache."""
    source = RIGHT
    for old, new in changes:
        assert source.count(old) == 1, f"{old!r} stands {source.count(old)} times in the class"
        source = source.replace(old, new)
    return compiled(name, source, "Value")


def compiled(name, source, cls):
    """Make a class from its source, and let linecache know it."""
    file = f"<{name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    namespace = {"__name__": "learner"}
    exec(compile(source, file, "exec"), namespace)
    return namespace[cls]


HELD = "tuple(_children)"
"""How the right class keeps its operands; most classes that people publish use a set."""


@dataclass(frozen=True)
class Slip:
    name: str
    changes: tuple[tuple[str, str], ...]
    what: str
    says: str
    line: str

    def build(self, *more):
        return build(self.name, *self.changes, *more)

    @property
    def in_a_set(self):
        """Whether it is the same slip in a class that keeps its operands in a set."""
        return not any("_prev[" in new or old == HELD for old, new in self.changes)


def slip(name, old, new, *, what, says, line):
    return Slip(name, ((old, new),), what, says, line)


_DRIVER = RIGHT[RIGHT.index("        order = []") :]  # the body of backward()
_ADD_SELF, _ADD_OTHER = "self.grad += 1.0 * out.grad", "other.grad += out.grad"
_MUL_SELF, _MUL_OTHER = "self.grad += other.data * out.grad", "other.grad += self.data * out.grad"
_TANH = "self.grad += (1 - t**2) * out.grad"
_SIGMOID = "self.grad += s * (1 - s) * out.grad"
_EXP = "self.grad += out.data * out.grad"
_LOG = "self.grad += 1 / self.data * out.grad"
_POW = "self.grad += other * self.data ** (other - 1) * out.grad"
_RELU = "self.grad += (out.data > 0) * out.grad"
_CUBE = "self.grad += 3 * self.data**2 * out.grad"
_DIV_SELF = "self.grad += 1 / other.data * out.grad"
_DIV_OTHER = "other.grad += -self.data / other.data**2 * out.grad"
_WRAP = "other = other if isinstance(other, Value) else Value(other)\n"
_USED_TWICE = "loses a contribution when its input is used twice"


def _rule(name, old, new, says, what="sends a wrong gradient"):
    return slip(name, old, new, what=what, says=says, line=new)


SLIPS = (
    # assigned where it should be added
    _rule("add assigns", _ADD_SELF, "self.grad = 1.0 * out.grad", "Use `+=`", _USED_TWICE),
    _rule("add assigns other", _ADD_OTHER, "other.grad = out.grad", "Use `+=`", _USED_TWICE),
    _rule("mul assigns", _MUL_SELF, "self.grad = other.data * out.grad", "Use `+=`", _USED_TWICE),
    _rule("mul assigns other", _MUL_OTHER, "other.grad = self.data * out.grad", "Use `+=`",
          _USED_TWICE),
    _rule("tanh assigns", _TANH, "self.grad = (1 - t**2) * out.grad", "Use `+=`", _USED_TWICE),
    _rule("exp assigns", _EXP, "self.grad = out.data * out.grad", "Use `+=`", _USED_TWICE),
    _rule("cube assigns", _CUBE, "self.grad = 3 * self.data**2 * out.grad", "Use `+=`",
          _USED_TWICE),
    # the gradient from above
    _rule("tanh without upstream", _TANH, "self.grad += 1 - t**2", "leaves out the gradient",
          "does not apply the chain rule"),
    _rule("mul without upstream", _MUL_SELF, "self.grad += other.data",
          "leaves out the gradient", "does not apply the chain rule"),
    _rule("exp adds upstream", _EXP, "self.grad += out.data + out.grad", "adds where it should"),
    _rule("tanh twice upstream", _TANH, "self.grad += (1 - t**2) * out.grad * out.grad",
          "from above twice", "does not apply the chain rule"),
    _rule("tanh reads self.grad", _TANH, "self.grad += (1 - t**2) * self.grad",
          "Nothing reaches x"),
    # the sibling, the sign
    _rule("mul takes its own", _MUL_SELF, "self.grad += self.data * out.grad", "swapped"),
    _rule("mul divides", _MUL_SELF, "self.grad += out.grad / other.data",
          "divides where it should"),
    _rule("mul writes self twice", _MUL_OTHER, "self.grad += self.data * out.grad",
          "the share of the other one as well"),
    _rule("add minus", _ADD_OTHER, "other.grad -= out.grad", "wrong sign"),
    _rule("tanh minus", _TANH, "self.grad -= (1 - t**2) * out.grad", "wrong sign"),
    _rule("cube minus", _CUBE, "self.grad -= 3 * self.data**2 * out.grad", "wrong sign"),
    # formulas
    _rule("tanh squares the whole", _TANH, "self.grad += (1 - t) ** 2 * out.grad",
          "squares the whole difference"),
    _rule("tanh forgets the square", _TANH, "self.grad += (1 - t) * out.grad",
          "forgets the square"),
    _rule("tanh squares the input", _TANH, "self.grad += (1 - self.data**2) * out.grad",
          "squares the input"),
    _rule("sigmoid like tanh", _SIGMOID, "self.grad += (1 - s**2) * out.grad",
          "is the rule of tanh"),
    _rule("sigmoid half", _SIGMOID, "self.grad += (1 - s) * out.grad", "leaves out the factor s"),
    _rule("exp uses the input", _EXP, "self.grad += self.data * out.grad", "uses the input"),
    _rule("log uses the result", _LOG, "self.grad += 1 / out.data * out.grad",
          "divides by the result"),
    _rule("log multiplies", _LOG, "self.grad += self.data * out.grad", "multiplies by the input"),
    _rule("pow keeps the power", _POW, "self.grad += other * self.data**other * out.grad",
          "forgets to lower the power"),
    _rule("pow without factor", _POW, "self.grad += self.data ** (other - 1) * out.grad",
          "forgets the factor"),
    _rule("pow for squares", _POW, "self.grad += 2 * self.data * out.grad",
          "holds for squares only"),
    _rule("relu passes all", _RELU, "self.grad += out.grad", "passes everything"),
    _rule("relu passes the value", _RELU, "self.grad += out.data * out.grad", "passes the value"),
    _rule("div without square", _DIV_OTHER,
          "other.grad += -self.data / other.data * out.grad", "forgets the square"),
    _rule("div lost its minus", _DIV_OTHER,
          "other.grad += self.data / other.data**2 * out.grad", "lost the minus"),
    _rule("div multiplies", _DIV_SELF, "self.grad += other.data * out.grad  #",
          "multiplies by the denominator"),
    # what is returned
    slip("forgot return", _TANH + "\n\n        out._backward = _backward\n        return out",
         _TANH + "\n\n        out._backward = _backward",
         what="x.tanh() gives None", says="return out", line="def tanh(self):"),
    slip("detached", 'Value(math.exp(self.data), (self,), "exp")', "Value(math.exp(self.data))",
         what="exp ends the way back", says="remembers no operands", line="return out"),
    slip("a float comes out", "return self * -1", "return -self.data",
         what="gives a float", says="return a new Value", line="return -self.data"),
    slip("in place", "return self * -1", "self.data = -self.data\n        return self",
         what="changes its operand", says="The old number is lost", line="return self"),
    slip("rule called", _TANH + "\n\n        out._backward = _backward",
         _TANH + "\n\n        out._backward = _backward()",
         what="The rule of x.tanh() raises TypeError", says="without brackets",
         line="value._backward()"),
    slip("tanh upside down", "t = math.tanh(self.data)", "t = 1 / math.tanh(self.data)",
         what="wrong result", says="upside down", line="return out"),
    # operators
    slip("neg takes other", "def __neg__(self):", "def __neg__(self, other):",
         what="-x raises TypeError", says="The signature does not fit", line="return self * -1"),
    slip("rsub turned", "return Value(other) - self", "return self - other",
         what="5 - x has the wrong result", says="`__rsub__` computes self - other",
         line="return self - other"),
    slip("radd calls itself", "return self + other", "return other + self",
         what="5 + x raises RecursionError", says="calls itself", line="return other + self"),
    slip("rdiv turned", "return Value(other) / self", "return self / Value(other)",
         what="6 / x has the wrong result", says="the number is on the left",
         line="return self / Value(other)"),
    slip("sub adds", "return self + (-other)", "return self + other  #",
         what="x - y has the wrong result", says="adds", line="return self + other"),
    slip("numbers not wrapped",
         _WRAP + "        out = Value(self.data * ",
         "out = Value(self.data * ",
         what="x * 3 raises AttributeError", says="wrap it first",
         line='out = Value(self.data * other.data, (self, other), "*")'),
    # the driver
    slip("not reversed", "for value in reversed(order):", "for value in order:",
         what="inputs first", says="reversed", line="for value in order:"),
    slip("no visited set", "if value not in visited:", "if True:",
         what="runs the rule of a shared value more than once", says="visited set",
         line="def visit(value):"),
    slip("append one indent left",
         "                order.append(value)", "            order.append(value)",
         what="runs the rule of a shared value more than once", says="one indent too far left",
         line="def visit(value):"),
    slip("append in the loop",
         "                order.append(value)", "                    order.append(value)",
         what="runs a rule once per operand", says="one indent too far right",
         line="def visit(value):"),
    slip("no seed", "        self.grad = 1.0\n", "",
         what="does not give the result its own gradient", says="begin with",
         line="def backward(self):"),
    slip("seeded with data", "    self.grad = 1.0\n", "    self.grad = self.data\n",
         what="instead of 1", says="begin with", line="def visit(value):"),
    slip("starts at one", "        self.grad = 0.0\n", "        self.grad = 1.0\n",
         what="starts at 1", says="self.grad = 0.0", line="def visit(value):"),
    slip("appended first", "visited.add(value)\n",
         "visited.add(value)\n                order.append(value)\n",
         what="backward() ", says="", line="def visit(value):"),
    slip("listed before its operands",
         "                for operand in value._prev:\n                    visit(operand)\n"
         "                order.append(value)\n",
         "                order.append(value)\n"
         "                for operand in value._prev:\n                    visit(operand)\n",
         what="wrong order", says="append it after the loop", line="def visit(value):"),
    slip("visited is kept", "def backward(self):\n        order = []\n        visited = set()",
         "def backward(self, order=[], visited=set()):",
         what="identical programs", says="kept from one graph to the next",
         line="def backward(self, order=[], visited=set()):"),
    slip("equality by data", "    def __repr__(self):",
         "    def __eq__(self, other):\n        return self.data == other.data\n\n"
         "    def __hash__(self):\n        return hash(self.data)\n\n    def __repr__(self):",
         what="same number for one value", says="by identity", line="def __eq__(self, other):"),
    slip("equality without hash", "    def __repr__(self):",
         "    def __eq__(self, other):\n        return self is other\n\n    def __repr__(self):",
         what="backward() raises TypeError", says="__hash__", line="if value not in visited:"),
    slip("naive recursion", _DRIVER, """\
        def push(value):
            value._backward()
            for operand in value._prev:
                push(operand)

        self.grad = 1.0
        push(self)
""", what="passes a gradient on before it is whole", says="sort the graph first",
         line="def push(value):"),
    slip("level by level", _DRIVER, """\
        self.grad = 1.0
        level, seen = [self], {self}
        while level:
            value = level.pop(0)
            value._backward()
            for operand in value._prev:
                if operand not in seen:
                    seen.add(operand)
                    level.append(operand)
""", what="passes a gradient on before it is whole", says="level by level",
         line="def backward(self):"),
    slip("only its own rule", _DRIVER, """\
        self.grad = 1.0
        self._backward()
""", what="stops after the result's own rule", says="Walk on", line="def backward(self):"),
    slip("no rule at all", "            value._backward()\n", "            pass\n",
         what="runs no rule", says="Call the `_backward`", line="def visit(value):"),
    slip("never ends", "        visit(self)\n", "        while True:\n            visit(self)\n",
         what="does not come to an end", says="in circles", line="def backward(self):"),
    Slip("order of a set", (
        (HELD, "set(_children)"),
        (_DIV_SELF, "first, second = out._prev\n            "
                    "first.grad += 1 / second.data * out.grad"),
        (_DIV_OTHER, "second.grad += -first.data / second.data**2 * out.grad"),
    ), what="different gradients from run to run", says="A set has no order",
       line="first.grad += 1 / second.data * out.grad"),
    slip("an operand is forgotten",
         'Value(self.data * other.data, (self, other), "*")',
         'Value(self.data * other.data, (other,), "*")',
         what="x * y does not remember x", says="hand both operands",
         line="return out"),
    Slip("constants are dropped", (
        (_WRAP + "        out = Value(self.data * other.data, (self, other),",
         "kept = (self, other) if isinstance(other, Value) else (self,)\n        "
         + _WRAP + "        out = Value(self.data * other.data, kept,"),
        (_MUL_SELF, "self.grad += out._prev[1].data * out.grad"),
    ), what="The rule of x * 3 raises IndexError", says="an operand that was not kept",
       line="self.grad += out._prev[1].data * out.grad"),
)  # fmt: skip
