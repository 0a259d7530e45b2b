"""Gradients beside measured slopes: functions, results, kinks, cancellation, other classes."""

import math

import pytest
from slips import build

import glassgrad as gg
from glassgrad.checks.curve import points
from glassgrad.checks.gradcheck import MOST, gradcheck
from glassgrad.checks.numeric import derivative
from glassgrad.engine.ops import PRIMITIVES

RIGHT = build("as it is")
WRONG = build("cube is off", ("3 * self.data**2 * out.grad", "2 * self.data**2 * out.grad"))


def rows(result):
    return {row.name: row for row in result.rows}


def test_function_is_checked_at_each_leaf_and_each_result():
    result = gradcheck(lambda w, x, t: (w * x - t) ** 2 * 0.5, 0.34, 1.0, -0.4344)
    found = rows(result)
    assert result.passed
    assert [found[name].measured for name in "wxt"] == pytest.approx([0.7744, 0.263296, -0.7744])
    assert found["w * x - t"].measured == pytest.approx(0.7744)
    assert {row.how for row in result.rows} == {"complex step", "by definition"}


def test_own_class_and_own_operation():
    result = gradcheck(lambda x: x.cube() * x, 0.5, cls=RIGHT)
    assert result.passed
    assert rows(result)["x"].how == "central differences"
    assert rows(result)["x"].measured == pytest.approx(4 * 0.5**3, abs=1e-10)


def test_wrong_gradient_is_told():
    x = WRONG(0.5)
    y = x.cube() * x
    result = gradcheck(y)
    assert not result.passed
    assert [row.name for row in result.rows if row.agrees is False] == ["x"]
    assert "1 of 3 gradients" in result.summary
    assert (x.grad, y.grad) == (0.0, 0.0)


def test_kink_is_measured_from_both_sides():
    x = gg.Value(0.0)
    result = gradcheck(x.relu())
    assert result.passed
    assert rows(result)["x"].how == "one-sided differences"


def test_cancellation_is_no_trouble():
    result = gradcheck(lambda x: (x + 1e8) - 1e8, 1.0)
    assert result.passed
    assert rows(result)["x"].measured == 1.0


@pytest.mark.parametrize("name", sorted(PRIMITIVES))
def test_every_row_of_the_table_agrees_with_its_measurement(name):
    row, f = PRIMITIVES[name], getattr(gg, name)
    at = (1.3, 2.6, 3.9)[: row.arity] if name not in ("asin", "acos", "atanh") else (0.4,)
    result = gradcheck((lambda x: f([x, x])) if row.variadic else f, *at)
    assert result.passed, str(result)
    assert {r.how for r in result.rows} <= {"complex step", "by definition", "central differences"}


def test_what_cannot_be_run_again_is_not_judged():
    x = gg.Value(2.0)
    out = gg.Value(8.0, (x,), "strange")

    def rule():
        x.grad += 12.0 * out.grad

    out._backward = rule
    result = gradcheck(out * 1.0, names={"x": x})
    assert result.passed
    assert rows(result)["x"].agrees is None
    assert "not measured" in str(result)


def test_curve_is_a_v():
    found = points(math.exp, 1.0, math.e)
    best = min(found, key=lambda point: point.forward)
    assert 1e-9 < best.step < 1e-6
    assert found[0].forward > 1e4 * best.forward
    assert found[-1].forward > 1e4 * best.forward
    assert min(point.central for point in found) < best.forward


def test_report_is_escaped_and_complete():
    a = gg.Value(2.0, label="<b>")
    shown = gradcheck(a * a)._repr_mimebundle_()
    assert "<b>" not in shown["text/html"].replace("<body", "")
    assert "&lt;b&gt;" in shown["text/html"]
    assert "<svg" in shown["text/html"]
    assert "http" not in shown["text/html"].replace("http://www.w3.org/2000/svg", "")


def test_large_graphs_are_measured_in_part():
    x = gg.Value(1.0)
    y = x
    for _ in range(3000):
        y = y * 1.0001
    result = gradcheck(y, names={"x": x, "y": y})
    assert result.passed
    assert len(result.rows) == MOST


def test_refusals_say_what_to_do():
    with pytest.raises(TypeError, match="needs the numbers"):
        gradcheck(lambda x: x)
    with pytest.raises(TypeError, match="give gradcheck the function"):
        gradcheck(gg.Value(2.0) * 2, 3.0)
    with pytest.raises(TypeError, match="plain number"):
        gradcheck(3.0)


@pytest.mark.parametrize(
    ("f", "x", "slope"),
    [
        (math.exp, 1.0, math.e),
        (math.sin, 1e5, math.cos(1e5)),
        (lambda x: 1 / x, 1e-3, -1e6),
        (math.log, 1e-5, 1e5),
        (lambda x: x**3, 1e6, 3e12),
        (math.tanh, -20.0, 0.0),
        (lambda x: math.exp(100 * x), 1.0, 100 * math.exp(100)),
        (lambda x: 1e12 + 1e8 * x * x, 3.0, 6e8),
    ],
)
def test_derivative_knows_its_own_error(f, x, slope):
    measured = derivative(f, x)
    assert abs(measured.value - slope) <= 10 * measured.error + 1e-9 * abs(slope)
    assert measured.accepts(slope)
    assert not measured.accepts(1.01 * slope + 0.01)
