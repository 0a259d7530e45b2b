"""One formula, many forms: they must agree, and only arithmetic gets in."""

import math

import pytest

from glassgrad.engine.expression import Expression


@pytest.mark.parametrize(
    ("source", "text", "latex"),
    [
        ("y", "{y}", "y"),
        ("1 - out**2", "1 − {out}²", "1 - out^{2}"),
        ("x - (y - 1)", "{x} − ({y} − 1)", "x - (y - 1)"),
        ("(x - y) - 1", "{x} − {y} − 1", "x - y - 1"),
        ("-out / y", "−{out} / {y}", r"\frac{-out}{y}"),
        ("x / (y * 2)", "{x} / ({y} · 2)", r"\frac{x}{y \cdot 2}"),
        ("x**(y - 1)", "{x}^({y} − 1)", "x^{y - 1}"),
        ("(x + 1)**2", "({x} + 1)²", "(x + 1)^{2}"),
        ("x**-1", "{x}⁻¹", "x^{-1}"),
        ("x * -2", "{x} · −2", r"x \cdot -2"),
        ("(-2)**x", "(−2)^{x}", "(-2)^{x}"),
        ("abs(x)", "|{x}|", r"\left|x\right|"),
        ("2 / sqrt(pi)", "2 / sqrt(π)", r"\frac{2}{\sqrt{\pi}}"),
        ("0 if y == 0 else y * x", "{y} · {x}", r"y \cdot x"),
        ("0 if x == 0 and y >= 0 else log(x)", "log({x})", r"\operatorname{log}\left(x\right)"),
        (
            "0 if x <= 0 else 1",
            "0 if {x} ≤ 0 else 1",
            r"\begin{cases}0 & \text{if } x \le 0 \\ 1 & \text{otherwise}\end{cases}",
        ),
    ],
)
def test_people_read_it_with_just_the_parentheses_it_needs(source, text, latex):
    expression = Expression(source)
    assert expression.text == text
    assert expression.latex == latex


@pytest.mark.parametrize(
    "source",
    [
        "x - (y - 1)",
        "-(x + y)",
        "x * -2",
        "(-2)**2",
        "x - -2",
        "-2 * x",
        "(x - y) / (x * y)",
        "x / y / 2",
        "-x**2",
        "(-x)**2",
        "2 - -x",
    ],
)
def test_its_fast_source_is_the_same_function(source):
    expression = Expression(source)
    namespace = {"x": 1.7, "y": -0.3, "pow": math.pow}
    assert eval(expression.code, namespace) == expression.evaluate(x=1.7, y=-0.3)
    assert eval(source, {"x": 1.7, "y": -0.3}) == pytest.approx(eval(expression.code, namespace))


def test_its_json_is_nested_lists():
    expression = Expression("0 if x == 0 and y >= 0 else out * log(x)")
    assert expression.json == [
        "where",
        ["and", ["eq", "x", 0.0], ["ge", "y", 0.0]],
        0.0,
        ["mul", "out", ["log", "x"]],
    ]


@pytest.mark.parametrize(
    "source", ["x.data", "print(x)", "[x]", "x < y < 1", "'x'", "True", "x % 2"]
)
def test_nothing_but_arithmetic_gets_in(source):
    with pytest.raises((ValueError, KeyError)):
        Expression(source)
