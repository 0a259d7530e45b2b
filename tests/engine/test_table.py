"""The drift test: every row of the table, in every form it takes, against references."""

import inspect
import math
from pathlib import Path

import mpmath
import pytest
import reference

import glassgrad as gg
from glassgrad.engine import methods, operators, real
from glassgrad.engine.ops import PRIMITIVES
from glassgrad.engine.reading import operands, primitive_of, slopes
from glassgrad.engine.value import Value

# the same functions at 50 digits, written down independently of the table
REFERENCE = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "pow": lambda x, y: x**y,
    "neg": lambda x: -x,
    "abs": abs,
    "relu": lambda x: max(x, 0),
    "leaky_relu": lambda x: max(x, x / 100),
    "elu": lambda x: x if x > 0 else mpmath.expm1(x),
    "gelu": lambda x: x * mpmath.ncdf(x),
    "softplus": lambda x: mpmath.log1p(mpmath.exp(x)),
    "silu": lambda x: x / (1 + mpmath.exp(-x)),
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "log1p": mpmath.log1p,
    "log2": lambda x: mpmath.log(x, 2),
    "maximum": max,
    "minimum": min,
    "clamp": lambda x, lo, hi: min(max(x, lo), hi),
    "sum": lambda *xs: mpmath.fsum(xs),
}
POINTS = {
    "clamp": [(0.3, -1.0, 1.0), (-2.0, -1.0, 1.0), (5.0, -1.0, 1.0)],
    "sum": [(1.0,), (1.0, -2.5, 0.5, 1e-3)],
    "acosh": [(1.5,), (20.0,)],
    "asin": [(-0.9,), (0.3,)],
    "acos": [(-0.9,), (0.3,)],
    "atanh": [(-0.9,), (0.3,)],
    **{name: [(0.01,), (1.7,), (300.0,)] for name in ("log", "log2", "log10", "sqrt")},
    "log1p": [(-0.5,), (1e-20,), (5.0,)],
    "pow": [(2.0, 3.0), (0.3, -2.5), (7.0, 0.5)],
}
UNARY_POINTS = [(-2.3,), (-1e-3,), (0.4,), (1.9,)]
BINARY_POINTS = [(2.0, -3.0), (-0.7, 0.2), (1e-3, 5.0)]
ROWS = list(PRIMITIVES.values())


def points(row):
    return POINTS.get(row.name, UNARY_POINTS if row.arity == 1 else BINARY_POINTS)


def call(row, *arguments):
    function = getattr(gg, row.name)
    return function(arguments) if row.variadic else function(*arguments)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_value_and_slopes_agree_with_fifty_digits(row):
    reference = REFERENCE.get(row.name) or getattr(mpmath, row.name)
    for point in points(row):
        with mpmath.workdps(50):
            exact = [mpmath.mpf(x) for x in point]
            out = reference(*exact)
            partials = [
                mpmath.diff(reference, tuple(exact), tuple(int(i == k) for i in range(len(point))))
                for k in range(len(point))
            ]
        inputs = [Value(x) for x in point]
        result = call(row, *inputs)
        result.backward()
        assert result.data == pytest.approx(float(out), rel=1e-14, abs=1e-300)
        assert [v.grad for v in inputs] == pytest.approx([float(p) for p in partials], rel=1e-12)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_way_to_call_it_gives_the_same(row):
    for point in points(row):
        inputs = [Value(x) for x in point]
        result = call(row, *inputs)
        assert primitive_of(result) is row
        assert operands(result) == tuple(inputs)
        assert call(row, *point) == pytest.approx(result.data, rel=1e-15)
        assert methods.at(row, *point) == pytest.approx((result.data, *slopes(result)), rel=1e-15)
        if row.arity == 2:
            x, y = point
            first, second = call(row, inputs[0], y), call(row, x, inputs[1])
            assert first.data == second.data == result.data
            assert slopes(first) == slopes(second) == slopes(result)
            assert operands(first) == (inputs[0], y)
            assert operands(second) == (x, inputs[1])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_it_can_be_shown(row):
    assert row.symbol
    assert row.says
    assert not row.says.endswith(".")
    for expression in (row.forward, *row.partials):
        names = {name: name for name in ("x", "y", "z", "out")}
        assert "{" not in expression.text.format(**names)
        assert expression.latex
    method = getattr(Value, methods.method_names(row)[0])
    assert row.says in method.__doc__
    assert row.says in getattr(gg, row.name).__doc__
    assert "node._a" in inspect.getsource(method)


def test_the_written_types_name_every_method_and_no_other():
    stub = Path(operators.__file__).with_suffix(".pyi").read_text()
    declared = {
        line.split("def ")[1].split("(")[0] for line in stub.splitlines() if "(self" in line
    }
    made = {name for row in ROWS for name in methods.method_names(row)}
    assert declared == {name for name in made if not name.startswith("_r")}


def test_the_module_has_every_function():
    stub = (Path(gg.__file__).with_suffix(".pyi")).read_text()
    for row in ROWS:
        assert row.name in dir(gg)
        assert f"def {row.name}(" in stub


EDGES = [-math.inf, -1000.0, -1.0, -0.0, 0.0, 1e-320, 1.0, 1000.0, math.inf, math.nan]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_no_edge_raises_or_turns_complex(row):
    for x in EDGES:
        for y in EDGES if row.arity > 1 else [0.0]:
            inputs = [Value(x), Value(y), Value(1.0)][: row.arity]
            result = call(row, *inputs)
            result.backward()
            assert all(type(number) is float for number in (result.data, *slopes(result)))


def test_every_function_a_rule_uses_is_total():
    for name, function in real.FUNCTIONS.items():
        if name in ("where", "sum"):
            continue
        arity = 2 if name in TWO else 1
        for x in EDGES:
            assert isinstance(function(*(x, 0.5)[:arity]), float)


TWO = {"add", "sub", "mul", "div", "pow", "gt", "ge", "lt", "le", "eq", "and", "atan2", "hypot"} | {
    "maximum",
    "minimum",
}


def test_a_sum_is_total_too():
    assert real.total([math.inf, -math.inf]) != real.total([math.inf, -math.inf])
    assert real.total([1e308, 1e308]) == math.inf
    assert real.total([]) == 0.0


def test_the_page_of_operations_is_that_of_the_table():
    assert reference.PAGE.read_text(encoding="utf-8") == reference.page()
