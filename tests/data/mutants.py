"""Every small slip of the pen in a class that is right: one operator, name, number or line changed.

`slips` holds what people are known to get wrong; here nobody has chosen.  Beside the mutants stands
an oracle that knows nothing of the grader: programs whose results and gradients PyTorch has.
"""

import ast
import random
from collections.abc import Callable
from functools import cache
from math import isclose
from typing import NamedTuple

import torch
from slips import HELD, RIGHT, compiled

from glassgrad.graphs.limits import EndlessError, limited

_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)
_ORDERS = (ast.Gt, ast.Lt, ast.GtE, ast.LtE)
_NAMES = ("self", "other", "out")
_ATTRIBUTES = {"data": "grad", "grad": "data"}
_STEPS = 100_000


class Mutant(NamedTuple):
    """The right class with one thing changed."""

    name: str
    container: str
    place: int
    change: Callable[[ast.AST], object]

    @property
    def source(self):
        tree = _tree(self.container)
        self.change(list(ast.walk(tree))[self.place])
        return ast.unparse(ast.fix_missing_locations(tree))

    def build(self):
        return compiled(self.name, self.source, "Value")


def mutants(container="set"):
    """Return every mutant of the class that keeps its operands in a tuple, a list or a set."""
    found = []
    for place, node in enumerate(ast.walk(_tree(container))):
        for what, change in _changes(node):
            name = f"{len(found)} {container}, line {getattr(node, 'lineno', 0)}: {what}"
            found.append(Mutant(name, container, place, change))
    return found


def _tree(container):
    return ast.parse(RIGHT.replace(HELD, f"{container}(_children)"))


def _changes(node):
    """Yield what may be changed at one place, as words and a function that does it."""
    match node:
        case ast.BinOp():
            yield from _each("op", type(node.op), _OPERATORS, lambda kind: kind())
        case ast.AugAssign():
            yield "-=", lambda n: setattr(n, "op", ast.Sub())
            yield "*=", lambda n: setattr(n, "op", ast.Mult())
        case ast.Compare(ops=[op]) if type(op) in _ORDERS:
            yield from _each("ops", type(op), _ORDERS, lambda kind: [kind()])
        case ast.Constant(value=int() | float() as number):
            yield from _each("value", number, (0, 1, 2, -1), lambda other: other)
        case ast.Name(id=name, ctx=ast.Load()) if name in _NAMES:
            yield from _each("id", name, _NAMES, lambda other: other)
        case ast.Attribute(attr=name) if name in _ATTRIBUTES:
            yield from _each("attr", name, (_ATTRIBUTES[name],), lambda other: other)
        case ast.UnaryOp(op=ast.USub()):
            yield "no minus", lambda n: setattr(n, "op", ast.UAdd())
        case ast.Tuple(elts=[_, _], ctx=ast.Load()):
            yield "turned", lambda n: n.elts.reverse()
            yield "without the first", lambda n: n.elts.pop(0)
            yield "without the second", lambda n: n.elts.pop(1)
        case ast.Call(func=ast.Name(id="reversed")):
            yield "not reversed", lambda n: setattr(n.func, "id", "list")
    body = getattr(node, "body", None)
    for place, statement in enumerate(body if isinstance(body, list) else ()):
        if isinstance(statement, ast.AugAssign):
            yield f"{ast.unparse(statement)} replaces", _replacing(place)
        if not isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.Import):
            yield f"without {ast.unparse(statement)}", _without(place)


def _each(attribute, now, others, make):
    for other in others:
        if other != now:
            words = getattr(other, "__name__", other)
            yield f"{words}", lambda n, other=other: setattr(n, attribute, make(other))


def _replacing(place):
    def change(node):
        added = node.body[place]
        node.body[place] = ast.Assign([added.target], added.value)

    return change


def _without(place):
    def change(node):
        node.body[place] = ast.Pass()

    return change


# -- the oracle -----------------------------------------------------------------------------------


class Program(NamedTuple):
    run: Callable[..., object]
    at: tuple[float, ...]


_FUNCTIONS = ("tanh", "sigmoid", "exp", "log", "relu")
_OPERATIONS = (
    *(lambda x, y, f=f: getattr(x, f)() for f in _FUNCTIONS),
    lambda x, y: x.cube() if hasattr(x, "cube") else x**3,
    lambda x, y: x + y, lambda x, y: x - y, lambda x, y: x * y, lambda x, y: x / y,
    lambda x, y: -x, lambda x, y: x + 3, lambda x, y: 5 + x, lambda x, y: x - 3,
    lambda x, y: 5 - x, lambda x, y: x * 3, lambda x, y: 5 * x, lambda x, y: x / 4,
    lambda x, y: 6 / x, lambda x, y: x**2, lambda x, y: x**3, lambda x, y: x**-1,
    lambda x, y: x**0.5,
)  # fmt: skip
_AROUND = (
    lambda f, x, y: f(x, y),
    lambda f, x, y: f(x * y, y) * y,
    lambda f, x, y: f(x, x) + x,
    lambda f, x, y: f(x, y) * f(x, y) + f(y, x),
)


def _mixed(seed):
    """Return a program of several operations, in which values are used again."""

    def run(x, y):
        chance = random.Random(seed)
        values = [x, y]
        for _ in range(chance.randint(2, 7)):
            first, second = chance.choice(values), chance.choice(values)
            operation = chance.choice(_OPERATIONS)
            values.append(operation(first * first + 0.5, second * second + 0.25).tanh())
        return values[-1] * values[-2] + values[-3]

    return run


def _programs():
    points = ((0.7, 1.3), (1.9, 0.4))
    for number, operation in enumerate(_OPERATIONS):
        for around in _AROUND:
            at = points[number % 2]
            yield Program(lambda x, y, f=operation, g=around: g(f, x, y), at)
    for operation in (_OPERATIONS[4], *_OPERATIONS[5:9]):  # those that take numbers below 0
        yield Program(operation, (-0.7, 1.3))
    for seed in range(30):
        yield Program(_mixed(seed), points[seed % 2])


@cache
def _answers():
    answers = []
    for program in _programs():
        leaves = [
            torch.tensor(number, dtype=torch.float64, requires_grad=True) for number in program.at
        ]
        out = program.run(*leaves)
        out.backward()
        grads = [0.0 if leaf.grad is None else leaf.grad.item() for leaf in leaves]
        answers.append((program, (out.item(), *grads)))
    return answers


def is_right(cls):
    """Whether a class gives what PyTorch gives, in every program."""
    return all(_same(cls, program, answer) for program, answer in _answers())


def _same(cls, program, answer):
    try:
        with limited(_STEPS):
            leaves = [cls(number) for number in program.at]
            out = program.run(*leaves)
            out.backward()
            got = (out.data, *(leaf.grad for leaf in leaves))
        return all(
            isclose(a, b, rel_tol=1e-6, abs_tol=1e-9) for a, b in zip(got, answer, strict=True)
        )
    except (Exception, EndlessError):
        return False
