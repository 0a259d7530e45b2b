"""Classes that keep their graph in another way than the lecture does."""

import math
import weakref
from collections import namedtuple
from dataclasses import dataclass
from dataclasses import field as attribute
from enum import Enum
from functools import partial
from typing import ClassVar

from dialects import Dialect


def in_order(root, operands):
    """Return everything behind `root`, operands first."""
    order, seen = [], set()

    def visit(value):
        if id(value) not in seen:
            seen.add(id(value))
            for operand in operands(value):
                visit(operand)
            order.append(value)

    visit(root)
    return order


class LocalGradients:
    """No rule: a tuple of local gradients, and slots that leave no room for anything else."""

    __slots__ = ("_children", "_local_grads", "data", "grad")

    def __init__(self, data, children=(), local_grads=()):
        self.data, self.grad = data, 0
        self._children, self._local_grads = children, local_grads

    def __add__(self, other):
        other = other if isinstance(other, LocalGradients) else LocalGradients(other)
        return LocalGradients(self.data + other.data, (self, other), (1, 1))

    def __mul__(self, other):
        other = other if isinstance(other, LocalGradients) else LocalGradients(other)
        return LocalGradients(self.data * other.data, (self, other), (other.data, self.data))

    def backward(self):
        self.grad = 1
        for value in reversed(in_order(self, lambda v: v._children)):
            for child, slope in zip(value._children, value._local_grads, strict=True):
                child.grad += slope * value.grad


class Pairs:
    """Each operand beside its partial, in one list."""

    def __init__(self, value, inputs=(), op=""):
        self.value, self.grad, self.inputs, self.op = value, 0.0, list(inputs), op

    def __add__(self, other):
        other = other if isinstance(other, Pairs) else Pairs(other)
        return Pairs(self.value + other.value, [(1.0, self), (1.0, other)], "+")

    def __mul__(self, other):
        other = other if isinstance(other, Pairs) else Pairs(other)
        return Pairs(self.value * other.value, [(other.value, self), (self.value, other)], "*")

    def backward(self):
        self.grad = 1.0
        for value in reversed(in_order(self, lambda v: [node for _, node in v.inputs])):
            for slope, node in value.inputs:
                node.grad += slope * value.grad


class PulledBack:
    """Each operand with a function that pulls the gradient back to it."""

    def __init__(self, value, parents=()):
        self.value, self.grad, self._parents = value, 0.0, parents

    def __add__(self, other):
        other = other if isinstance(other, PulledBack) else PulledBack(other)
        pairs = ((self, lambda g: g), (other, lambda g: g))
        return PulledBack(self.value + other.value, pairs)

    def __mul__(self, other):
        other = other if isinstance(other, PulledBack) else PulledBack(other)
        pairs = ((self, lambda g: g * other.value), (other, lambda g: g * self.value))
        return PulledBack(self.value * other.value, pairs)

    def backward(self):
        self.grad = 1.0
        for value in reversed(in_order(self, lambda v: [node for node, _ in v._parents])):
            for node, pull in value._parents:
                node.grad += pull(value.grad)


class Function:
    """An operation as an object, which remembers its inputs and its output."""

    def __call__(self, *inputs):
        inputs = [x if isinstance(x, Variable) else Variable(x) for x in inputs]
        self.inputs = inputs
        output = Variable(self.forward(*(x.data for x in inputs)))
        output.creator = self
        self.output = weakref.ref(output)
        return output


class Add(Function):
    def forward(self, x, y):
        return x + y

    def backward(self, gy):
        return gy, gy


class Mul(Function):
    def forward(self, x, y):
        return x * y

    def backward(self, gy):
        x, y = self.inputs
        return gy * y.data, gy * x.data


class Variable:
    """Made by a Function; its gradient is None until backward."""

    def __init__(self, data, name=None):
        self.data, self.grad, self.creator, self.name = data, None, None, name

    def __add__(self, other):
        return Add()(self, other)

    def __mul__(self, other):
        return Mul()(self, other)

    def backward(self):
        self.grad = 1.0
        for value in reversed(in_order(self, lambda v: v.creator.inputs if v.creator else ())):
            if value.creator:
                grads = value.creator.backward(value.grad)
                for x, gx in zip(value.creator.inputs, grads, strict=True):
                    x.grad = gx if x.grad is None else x.grad + gx


class MulBack:
    """A rule that is an object, with the operands in an attribute."""

    def __init__(self, *v):
        self.v = v

    def __call__(self, grad):
        a, b = self.v
        a.grad += b.data * grad
        b.grad += a.data * grad


class AddBack:
    def __init__(self, *v):
        self.v = v

    def __call__(self, grad):
        for node in self.v:
            node.grad += grad


class BackwardFunction:
    """Operands are in ``backward_fn.v``."""

    def __init__(self, data, backward_fn=None):
        self.data, self.grad, self.backward_fn = data, 0.0, backward_fn

    def __add__(self, other):
        other = other if isinstance(other, BackwardFunction) else BackwardFunction(other)
        return BackwardFunction(self.data + other.data, AddBack(self, other))

    def __mul__(self, other):
        other = other if isinstance(other, BackwardFunction) else BackwardFunction(other)
        return BackwardFunction(self.data * other.data, MulBack(self, other))

    def backward(self):
        self.grad = 1.0
        below = lambda v: v.backward_fn.v if v.backward_fn else ()  # noqa: E731
        for value in reversed(in_order(self, below)):
            if value.backward_fn:
                value.backward_fn(value.grad)


class Switch:
    """One method for all local rules, which looks at the operation's name."""

    def __init__(self, data, children=(), op=""):
        self.data, self.grad, self.children, self.op = data, 0.0, children, op

    def __add__(self, other):
        other = other if isinstance(other, Switch) else Switch(other)
        return Switch(self.data + other.data, (self, other), "+")

    def __mul__(self, other):
        other = other if isinstance(other, Switch) else Switch(other)
        return Switch(self.data * other.data, (self, other), "*")

    def _backward(self):
        if self.op == "+":
            for child in self.children:
                child.grad += self.grad
        elif self.op == "*":
            a, b = self.children
            a.grad += b.data * self.grad
            b.grad += a.data * self.grad

    def backward(self):
        self.grad = 1.0
        for value in reversed(in_order(self, lambda v: v.children)):
            value._backward()


class SwitchInDriver:
    """The rules stand inside the walk, so none can be run alone."""

    def __init__(self, data, prev=(), op=""):
        self.data, self.grad, self._prev, self._op = data, 0.0, prev, op

    def __add__(self, other):
        other = other if isinstance(other, SwitchInDriver) else SwitchInDriver(other)
        return SwitchInDriver(self.data + other.data, (self, other), "+")

    def __mul__(self, other):
        other = other if isinstance(other, SwitchInDriver) else SwitchInDriver(other)
        return SwitchInDriver(self.data * other.data, (self, other), "*")

    def backward(self):
        self.grad = 1.0
        for value in reversed(in_order(self, lambda v: v._prev)):
            if value._op == "+":
                for child in value._prev:
                    child.grad += value.grad
            elif value._op == "*":
                a, b = value._prev
                a.grad += b.data * value.grad
                b.grad += a.data * value.grad


class Consumers:
    """``parents`` are the operands here, and ``children`` the results that use the value."""

    def __init__(self, data, parents=(), op=""):
        self.data, self.grad, self.op = data, 0.0, op
        self.children, self.parents = [], list(parents)
        self._backward = lambda: None
        for parent in parents:
            parent.children.append(self)

    def __eq__(self, other):
        return isinstance(other, Consumers) and self.data == other.data

    __hash__ = None

    def __add__(self, other):
        other = other if isinstance(other, Consumers) else Consumers(other)
        out = Consumers(self.data + other.data, (self, other), "+")

        def rule():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = rule
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Consumers) else Consumers(other)
        out = Consumers(self.data * other.data, (self, other), "*")

        def rule():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = rule
        return out

    def backward(self):
        self.grad = 1.0
        for value in reversed(in_order(self, lambda v: v.parents)):
            value._backward()


class Dropped:
    """Plain numbers are used and not kept: ``v * 3`` has one operand."""

    def __init__(self, data, _children=(), _op=""):
        self.data, self.grad, self._prev, self._op = data, 0.0, list(_children), _op
        self._backward = lambda: None

    def __add__(self, other):
        both = isinstance(other, Dropped)
        number = other.data if both else other
        out = Dropped(self.data + number, [self, other] if both else [self], "+")

        def _backward():
            self.grad += out.grad
            if both:
                other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        both = isinstance(other, Dropped)
        number = other.data if both else other
        out = Dropped(self.data * number, [self, other] if both else [self], "*")

        def _backward():
            self.grad += number * out.grad
            if both:
                other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def backward(self):
        self.grad = 1.0
        for value in reversed(in_order(self, lambda v: v._prev)):
            value._backward()


class DroppedForGood(LocalGradients):
    """The same with local gradients: nothing remembers the number."""

    __slots__ = ("op",)

    def __init__(self, data, children=(), local_grads=(), op=""):
        super().__init__(data, children, local_grads)
        self.op = op

    def __add__(self, other):
        if isinstance(other, DroppedForGood):
            return DroppedForGood(self.data + other.data, (self, other), (1, 1), "+")
        return DroppedForGood(self.data + other, (self,), (1,), "+")

    def __mul__(self, other):
        if isinstance(other, DroppedForGood):
            slopes = (other.data, self.data)
            return DroppedForGood(self.data * other.data, (self, other), slopes, "*")
        return DroppedForGood(self.data * other, (self,), (other,), "*")


class Kept:
    """Plain numbers stand among the operands as they are."""

    def __init__(self, data, args=(), op=""):
        self.data, self.grad, self.args, self.op = data, 0.0, args, op
        self._backward = lambda: None

    def __add__(self, other):
        number = other.data if isinstance(other, Kept) else other
        out = Kept(self.data + number, (self, other), "+")

        def rule():
            self.grad += out.grad
            if isinstance(other, Kept):
                other.grad += out.grad

        out._backward = rule
        return out

    def __mul__(self, other):
        number = other.data if isinstance(other, Kept) else other
        out = Kept(self.data * number, (self, other), "*")

        def rule():
            self.grad += number * out.grad
            if isinstance(other, Kept):
                other.grad += self.data * out.grad

        out._backward = rule
        return out

    def backward(self):
        self.grad = 1.0
        values = lambda v: [x for x in v.args if isinstance(x, Kept)]  # noqa: E731
        for value in reversed(in_order(self, values)):
            value._backward()


class OnlyInClosures:
    """No attribute holds the operands; the rules do, and the walk goes through a tape."""

    tape: ClassVar[list] = []

    def __init__(self, data, label=""):
        self.data, self.grad, self.label = data, 0.0, label
        self._backward = lambda: None

    def __add__(self, other):
        other = other if isinstance(other, OnlyInClosures) else OnlyInClosures(other)
        out = OnlyInClosures(self.data + other.data)

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        self.tape.append(out)
        return out

    def __mul__(self, other):
        other = other if isinstance(other, OnlyInClosures) else OnlyInClosures(other)
        out = OnlyInClosures(self.data * other.data)

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        self.tape.append(out)
        return out

    def backward(self):
        self.grad = 1.0
        for value in reversed(self.tape):
            value._backward()


class LeftRight:
    """Each operand has an attribute of its own."""

    def __init__(self, data, left=None, right=None, op=None):
        self.data, self.grad, self.left, self.right, self.op = data, 0.0, left, right, op

    def __add__(self, other):
        other = other if isinstance(other, LeftRight) else LeftRight(other)
        return LeftRight(self.data + other.data, self, other, "+")

    def __mul__(self, other):
        other = other if isinstance(other, LeftRight) else LeftRight(other)
        return LeftRight(self.data * other.data, self, other, "*")

    def local_backward(self):
        if self.op == "+":
            self.left.grad += self.grad
            self.right.grad += self.grad
        if self.op == "*":
            self.left.grad += self.right.data * self.grad
            self.right.grad += self.left.data * self.grad

    def backward(self):
        self.grad = 1.0
        below = lambda v: [x for x in (v.left, v.right) if x is not None]  # noqa: E731
        for value in reversed(in_order(self, below)):
            value.local_backward()


@dataclass(eq=False)
class DataClass:
    """Written as a dataclass, with bound methods for rules."""

    data: float
    grad: float = 0.0
    _prev: tuple = ()
    _op: str = ""
    label: str = ""
    _backward: object = attribute(default=None, repr=False)

    def __add__(self, other):
        other = other if isinstance(other, DataClass) else DataClass(other)
        out = DataClass(self.data + other.data, _prev=(self, other), _op="+")
        out._backward = out._add_rule
        return out

    def __mul__(self, other):
        other = other if isinstance(other, DataClass) else DataClass(other)
        out = DataClass(self.data * other.data, _prev=(self, other), _op="*")
        out._backward = out._mul_rule
        return out

    def _add_rule(self):
        for operand in self._prev:
            operand.grad += self.grad

    def _mul_rule(self):
        a, b = self._prev
        a.grad += b.data * self.grad
        b.grad += a.data * self.grad

    def backward(self):
        self.grad = 1.0
        for value in reversed(in_order(self, lambda v: v._prev)):
            if value._backward:
                value._backward()


def _add_to(a, b, out):
    a.grad += out.grad
    b.grad += out.grad


def _mul_to(a, b, out):
    a.grad += b.data * out.grad
    b.grad += a.data * out.grad


class Partials:
    """Rules are functions outside the class, with their operands filled in."""

    def __init__(self, data, children=(), op=""):
        self.data, self.grad, self._prev, self._op = data, 0.0, children, op
        self._backward = None

    def __add__(self, other):
        other = other if isinstance(other, Partials) else Partials(other)
        out = Partials(self.data + other.data, (self, other), "+")
        out._backward = partial(_add_to, self, other, out)
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Partials) else Partials(other)
        out = Partials(self.data * other.data, (self, other), "*")
        out._backward = partial(_mul_to, self, other, out)
        return out

    def backward(self):
        self.grad = 1.0
        for value in reversed(in_order(self, lambda v: v._prev)):
            if value._backward:
                value._backward()


class GivenGradient:
    """Rules are given the gradient."""

    def __init__(self, data, children=(), op=""):
        self.data, self.gradient, self._children, self._op = data, 0.0, children, op
        self._backward = lambda gradient: None

    def __add__(self, other):
        other = other if isinstance(other, GivenGradient) else GivenGradient(other)
        out = GivenGradient(self.data + other.data, (self, other), "+")

        def _backward(gradient):
            self.gradient += gradient
            other.gradient += gradient

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, GivenGradient) else GivenGradient(other)
        out = GivenGradient(self.data * other.data, (self, other), "*")

        def _backward(gradient):
            self.gradient += other.data * gradient
            other.gradient += self.data * gradient

        out._backward = _backward
        return out

    def backward(self):
        self.gradient = 1.0
        for value in reversed(in_order(self, lambda v: v._children)):
            value._backward(value.gradient)


class Recursive:
    """Backward is a walk of its own: it hands the gradient on and recurses."""

    def __init__(self, data, children=(), op=""):
        self.data, self.grad, self.children, self.op = data, 0.0, children, op

    def __add__(self, other):
        other = other if isinstance(other, Recursive) else Recursive(other)
        return Recursive(self.data + other.data, (self, other), "+")

    def __mul__(self, other):
        other = other if isinstance(other, Recursive) else Recursive(other)
        return Recursive(self.data * other.data, (self, other), "*")

    def backward(self, gradient=1.0):
        self.grad += gradient
        if self.op == "+":
            for child in self.children:
                child.backward(gradient)
        elif self.op == "*":
            a, b = self.children
            a.backward(b.data * gradient)
            b.backward(a.data * gradient)


class RecursiveClosures:
    """Rules go on to call those of their operands."""

    def __init__(self, data, prev=(), op=""):
        self.data, self.grad, self._prev, self._op = data, 0.0, prev, op
        self._backward = lambda: None

    def __add__(self, other):
        other = other if isinstance(other, RecursiveClosures) else RecursiveClosures(other)
        out = RecursiveClosures(self.data + other.data, (self, other), "+")

        def rule():
            self.grad += out.grad
            other.grad += out.grad
            self._backward()
            other._backward()

        out._backward = rule
        return out

    def __mul__(self, other):
        other = other if isinstance(other, RecursiveClosures) else RecursiveClosures(other)
        out = RecursiveClosures(self.data * other.data, (self, other), "*")

        def rule():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
            self._backward()
            other._backward()

        out._backward = rule
        return out

    def backward(self):
        self.grad = 1.0
        self._backward()


class Operation(Enum):
    ADD = "+"
    MUL = "*"


class Base:
    """Leaves and results are of two classes, and the operation is no string."""

    def __init__(self, data):
        self.data, self.grad = data, 0.0

    def __add__(self, other):
        other = other if isinstance(other, Base) else Leaf(other)
        return Result(self.data + other.data, [self, other], Operation.ADD)

    def __mul__(self, other):
        other = other if isinstance(other, Base) else Leaf(other)
        return Result(self.data * other.data, [self, other], Operation.MUL)


class Leaf(Base):
    pass


class Result(Base):
    def __init__(self, data, inputs, operation):
        super().__init__(data)
        self.inputs, self.operation = inputs, operation

    def propagate(self):
        a, b = self.inputs
        times = self.operation is Operation.MUL
        a.grad += (b.data if times else 1.0) * self.grad
        b.grad += (a.data if times else 1.0) * self.grad

    def backward(self):
        self.grad = 1.0
        for value in reversed(in_order(self, lambda v: getattr(v, "inputs", ()))):
            if isinstance(value, Result):
                value.propagate()


Edge = namedtuple("Edge", "node slope")


class Edges:
    """Operands in named tuples, gradient absent until backward."""

    def __init__(self, val, edges=()):
        self.val, self.edges, self.grad = val, tuple(edges), 0.0

    def __add__(self, other):
        other = other if isinstance(other, Edges) else Edges(other)
        return Edges(self.val + other.val, (Edge(self, 1.0), Edge(other, 1.0)))

    def __mul__(self, other):
        other = other if isinstance(other, Edges) else Edges(other)
        return Edges(self.val * other.val, (Edge(self, other.val), Edge(other, self.val)))

    def backward(self):
        self.grad = 1.0
        for value in reversed(in_order(self, lambda v: [edge.node for edge in v.edges])):
            for edge in value.edges:
                edge.node.grad += edge.slope * value.grad


class Unhashable:
    """``==`` gives a Value, truth raises, and attributes that are missing are made up."""

    def __init__(self, data, prev=(), op=""):
        self.data, self.grad, self._prev, self._op = data, 0.0, tuple(prev), op
        self._backward = lambda: None

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return f"no {name} here"

    def __eq__(self, other):
        return Unhashable(math.nan)

    __hash__ = None

    def __bool__(self):
        raise TypeError("a Value is neither true nor false")

    def __len__(self):
        raise RuntimeError("no length")

    def __add__(self, other):
        other = other if isinstance(other, Unhashable) else Unhashable(other)
        out = Unhashable(self.data + other.data, (self, other), "+")

        def rule():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = rule
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Unhashable) else Unhashable(other)
        out = Unhashable(self.data * other.data, (self, other), "*")

        def rule():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = rule
        return out

    def backward(self):
        self.grad = 1.0
        for value in reversed(in_order(self, lambda v: v._prev)):
            value._backward()


class NoGradient:
    """On its way to the lecture's class: numbers and operands, and no gradient yet."""

    def __init__(self, data, prev=(), op=""):
        self.data, self._prev, self._op = data, set(prev), op

    def __add__(self, other):
        other = other if isinstance(other, NoGradient) else NoGradient(other)
        return NoGradient(self.data + other.data, (self, other), "+")

    def __mul__(self, other):
        other = other if isinstance(other, NoGradient) else NoGradient(other)
        return NoGradient(self.data * other.data, (self, other), "*")


class SetOfPairsLess:
    """A set of operands and a switch: the order is lost for good."""

    def __init__(self, data, prev=(), op=""):
        self.data, self.grad, self._prev, self._op = data, 0.0, set(prev), op

    def __add__(self, other):
        other = other if isinstance(other, SetOfPairsLess) else SetOfPairsLess(other)
        return SetOfPairsLess(self.data + other.data, (self, other), "+")

    def __mul__(self, other):
        other = other if isinstance(other, SetOfPairsLess) else SetOfPairsLess(other)
        return SetOfPairsLess(self.data * other.data, (self, other), "*")

    def _backward(self):
        operands = list(self._prev)
        if self._op == "+":
            for operand in operands:
                operand.grad += self.grad * (2 if len(operands) == 1 else 1)
        elif self._op == "*":
            a, b = operands * 2 if len(operands) == 1 else operands
            a.grad += b.data * self.grad
            b.grad += a.data * self.grad

    def backward(self):
        self.grad = 1.0
        for value in reversed(in_order(self, lambda v: v._prev)):
            value._backward()


STRUCTURES = [
    Dialect("local gradients", LocalGradients, ops=("", ""), label=""),
    Dialect("pairs", Pairs, label=""),
    Dialect("pairs of node and function", PulledBack, ops=("", ""), label=""),
    Dialect("function objects", Variable, ops=("Mul", "Add"), grad=None, label="name"),
    Dialect("backward_fn.v", BackwardFunction, ops=("MulBack", "AddBack"), label=""),
    Dialect("switch", Switch, label=""),
    Dialect("switch in the driver", SwitchInDriver, slopes=False, label=""),
    Dialect("children are consumers", Consumers, label=""),
    Dialect("constants dropped", Dropped, constant="kept", label=""),
    Dialect("constants dropped for good", DroppedForGood, constant="dropped", label=""),
    Dialect("constants kept", Kept, constant="kept", label=""),
    Dialect("only in closures", OnlyInClosures),
    Dialect("left and right", LeftRight, label=""),
    Dialect("dataclass", DataClass),
    Dialect("partials", Partials, label=""),
    Dialect("given the gradient", GivenGradient, label=""),
    Dialect("recursive", Recursive, slopes=False, label=""),
    Dialect("recursive closures", RecursiveClosures, label="", works=False),
    Dialect("two classes", Leaf, label=""),
    Dialect("named tuples", Edges, ops=("", ""), label=""),
    Dialect("tricks", Unhashable, label=""),
    Dialect("no gradient", NoGradient, ordered=False, slopes=False, grad=None, label="",
            square=False, driver=""),
    Dialect("order lost", SetOfPairsLess, ordered=False, label=""),
]  # fmt: skip
