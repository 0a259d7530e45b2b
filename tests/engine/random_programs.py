"""Random programs over every primitive, for us and for PyTorch.

A program is data: a list of numbers for the leaves and a list of steps, each naming a row of the
table and its operands, which are earlier results or plain numbers.  `compare` runs one on both
sides; the tests and the long fuzz run share it.
"""

import math
from dataclasses import dataclass

import torch
from hypothesis import strategies as st

import glassgrad as gg
from glassgrad import Value
from glassgrad.engine.backward import Extremes, topological_order
from glassgrad.engine.ops import PRIMITIVES
from glassgrad.engine.reading import operands, primitive_of
from glassgrad.engine.transforms import gradients

THEIRS = {
    "add": torch.add,
    "pow": torch.pow,
    "div": torch.div,
    "neg": torch.neg,
    "elu": torch.nn.functional.elu,
    "gelu": torch.nn.functional.gelu,
    "silu": torch.nn.functional.silu,
    "softplus": lambda x: torch.logaddexp(x, torch.zeros_like(x)),
    "leaky_relu": torch.nn.functional.leaky_relu,
    "sum": lambda xs: sum(xs, torch.tensor(0.0, dtype=torch.float64)),
}
# plain operators where Python has them, so that reflected and in-place forms are used too
OPERATORS = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "pow": lambda x, y: x**y,
}
LARGE = 1e6  # past this, rounding on the way is all that a comparison would measure


@dataclass(frozen=True)
class Step:
    """One operation; an int operand points at an earlier result, a float is a plain number."""

    name: str
    operands: tuple[int | float, ...]
    in_place: bool = False


numbers = st.one_of(st.floats(-3, 3).map(lambda x: round(x, 3)), st.sampled_from([0.5, 1.0, 2.0]))


@st.composite
def programs(draw, length=12):
    """A program whose every step may use any earlier result, several times."""
    leaves = draw(st.lists(numbers, min_size=1, max_size=4))
    steps = []
    for made in range(len(leaves), len(leaves) + draw(st.integers(1, length))):
        name = draw(st.sampled_from(sorted(PRIMITIVES)))
        row = PRIMITIVES[name]
        places = draw(st.integers(1, 4)) if row.variadic else row.arity
        operands = [draw(st.integers(0, made - 1)) for _ in range(places)]
        if places > 1 and draw(st.booleans()):
            operands[draw(st.integers(0, places - 1))] = draw(numbers)
        steps.append(Step(name, tuple(operands), in_place=draw(st.booleans())))
    return leaves, steps


def unsigned_zeros(step, xs):
    """Turn -0.0 into 0.0 where it matters: which zero relu or maximum answers is left open."""
    return [x + 0.0 for x in xs] if step.name in ("atan2", "div", "pow") else xs


def ours(step, xs):
    """Run one step on Values."""
    xs = unsigned_zeros(step, xs)
    if step.name in OPERATORS:
        if step.in_place and isinstance(xs[0], Value):
            result = xs[0]
            if step.name == "add":
                result += xs[1]
                return result
        return OPERATORS[step.name](*xs)
    function = getattr(gg, step.name)
    return function(xs) if PRIMITIVES[step.name].variadic else function(*xs)


def theirs(step, xs):
    """Run one step on tensors."""
    # numbers too: PyTorch takes x**0.5 for a square root, which IEEE 754 does not at -inf
    xs = [x if torch.is_tensor(x) else torch.tensor(x, dtype=torch.float64) for x in xs]
    xs = unsigned_zeros(step, xs)
    if step.name in OPERATORS:
        return OPERATORS[step.name](*xs)
    if step.name in THEIRS:
        return THEIRS[step.name](xs) if PRIMITIVES[step.name].variadic else THEIRS[step.name](*xs)
    return getattr(torch, step.name)(*xs)


def run(leaves, steps, one):
    """Run a program and return its last result."""
    results = list(leaves)
    for step in steps:
        results.append(one(step, [results[i] if isinstance(i, int) else i for i in step.operands]))
    return results[-1]


def compare(leaves, steps):
    """Assert that value, first and second derivatives agree; return how far it could compare.

    Returns
    -------
    int
        0 where the value is not finite or too large, 1 where only it was compared, 2 with the
        gradients, 3 with the second derivatives.
    """
    Extremes.met = False
    values = [Value(x) for x in leaves]
    tensors = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in leaves]
    root, reference = run(values, steps, ours), run(tensors, steps, theirs)
    close(root.data, reference.item(), 1.0)
    scale = largest(root)
    if not scale < LARGE:
        return 0
    root.backward()
    if Extremes.met or rounding_decides(root) or not largest_grad(root) < LARGE:
        # 0 × inf is multiplied here, and masked or divided by some of PyTorch's rules
        return 1
    tolerance = max(scale, largest_grad(root))
    first = torch.autograd.grad(reference, tensors, create_graph=True, materialize_grads=True)
    for value, expected in zip(values, first, strict=True):
        close(value.grad, expected.item(), tolerance)
    slopes = gradients(root, values)
    for slope, expected in zip(slopes, first, strict=True):
        close(number(slope), expected.item(), tolerance)
        if not isinstance(slope, Value) or not expected.requires_grad:
            continue
        again = [number(second) for second in gradients(slope, values)]
        if Extremes.met or not all(abs(x) < LARGE for x in again):
            return 2
        rows = torch.autograd.grad(
            expected, tensors, retain_graph=True, allow_unused=True, materialize_grads=True
        )
        if not all(math.isfinite(row.item()) for row in rows):
            return 2  # an isolated point such as 0**0, where no second derivative exists
        for second, row in zip(again, rows, strict=True):
            close(second, row.item(), max(tolerance**2, largest(slope)))
    return 3


BENT = {"abs", "relu", "leaky_relu", "elu", "maximum", "minimum", "clamp", "pow", "softplus"}


def rounding_decides(root):
    """Whether a computed value lies on a kink, where one bit chooses between two slopes."""
    for value in topological_order(root):
        row = primitive_of(value)
        if row is None or row.name not in BENT or not any(map(computed, operands(value))):
            continue
        x, *others = map(number, operands(value))
        if any(abs(x - other) < 1e-9 for other in (others or [0.0])):
            return True
        if row.name == "pow" and min(abs(x), *map(abs, others)) < 1e-9:
            return True
    return False


def computed(operand):
    return isinstance(operand, Value) and primitive_of(operand) is not None


def number(x):
    return x.data if isinstance(x, Value) else x


def largest(root):
    return max(abs(value.data) for value in topological_order(root))


def largest_grad(root):
    return max(abs(value.grad) for value in topological_order(root))


def close(actual, expected, scale):
    if math.isnan(expected):
        assert math.isnan(actual), (actual, expected)
    else:
        assert actual == expected or abs(actual - expected) <= 1e-7 * max(scale, abs(expected)), (
            actual,
            expected,
        )
