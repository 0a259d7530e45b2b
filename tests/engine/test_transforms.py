"""Derivatives of derivatives, against closed forms and PyTorch."""

import math

import pytest
import torch

import glassgrad as gg
from glassgrad import Value
from glassgrad.engine.ops import PRIMITIVES
from glassgrad.engine.transforms import gradients


def test_the_parabola_of_the_lecture():
    f = lambda x: 3 * x**2 - 4 * x + 5  # noqa: E731
    assert gg.grad(f)(3.0) == 14.0
    assert gg.grad(gg.grad(f))(3.0) == 6.0
    assert gg.grad(gg.grad(gg.grad(f)))(3.0) == 0.0


@pytest.mark.parametrize("name", sorted(PRIMITIVES))
def test_second_and_third_derivatives_of_every_row(name):
    row = PRIMITIVES[name]
    point = {1: (0.4,), 2: (1.3, 0.7), 3: (0.4, -1.0, 1.0)}[row.arity]
    point = (1.7,) if name == "acosh" else point
    ours = getattr(gg, name)

    def f(*xs):
        return (ours(xs) if row.variadic else ours(*xs)) ** 2

    def theirs(*xs):
        return TORCH.get(name, getattr(torch, name, None))(*xs) ** 2

    first = gg.grad(f)
    slopes = first(*point)
    slope = slopes if len(point) == 1 else slopes[0]
    again = gg.grad(lambda *xs: first(*xs) if len(xs) == 1 else first(*xs)[0])
    second = again(*point)
    thrice = gg.grad(lambda *xs: again(*xs) if len(xs) == 1 else again(*xs)[0])(*point)
    second, thrice = (v if len(point) == 1 else v[0] for v in (second, thrice))

    xs = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in point]
    y = theirs(*xs)
    for expected in (slope, second, thrice):
        (y,) = torch.autograd.grad(
            y, xs[0], create_graph=True, allow_unused=True, materialize_grads=True
        )
        assert expected == pytest.approx(y.item(), rel=1e-10, abs=1e-12)


TORCH = {
    "pow": torch.pow,
    "elu": torch.nn.functional.elu,
    "gelu": torch.nn.functional.gelu,
    "silu": torch.nn.functional.silu,
    "softplus": torch.nn.functional.softplus,
    "leaky_relu": torch.nn.functional.leaky_relu,
    "sum": lambda *xs: sum(xs),
}


def test_hessian_is_that_of_pytorch():
    f = lambda x, y, z: gg.tanh(x * y) + gg.exp(z) / (1 + x**2) * y  # noqa: E731
    t = lambda p: torch.tanh(p[0] * p[1]) + torch.exp(p[2]) / (1 + p[0] ** 2) * p[1]  # noqa: E731
    point = (0.3, -1.2, 0.5)
    expected = torch.autograd.functional.hessian(t, torch.tensor(point, dtype=torch.float64))
    for row, reference in zip(gg.hessian(f)(*point), expected.tolist(), strict=True):
        assert row == pytest.approx(reference, rel=1e-12)


def test_mixed_partials_agree_and_unused_inputs_have_none():
    assert gg.hessian(lambda x, y: x**2 * y**3)(2.0, 3.0) == [[54.0, 108.0], [108.0, 72.0]]
    assert gg.hessian(lambda x, y: x + 0 * y)(2.0, 3.0) == [[0.0, 0.0], [0.0, 0.0]]
    assert gg.grad(lambda x, y: x * 2)(1.0, 1.0) == (2.0, 0.0)
    assert gg.grad(lambda x: 5.0)(1.0) == 0.0


def test_a_gradient_with_respect_to_an_inner_value():
    a = Value(2.0)
    inner = a * 3
    y = inner**2
    assert [g.data for g in gradients(y, [inner, a])] == [12.0, 36.0]
    assert (a.grad, inner.grad) == (0.0, 0.0)


def test_backward_with_create_graph_leaves_gradients_that_can_be_differentiated():
    x = Value(3.0)
    y = x**3
    y.backward(create_graph=True)
    slope = x.grad
    assert slope.data == 27.0
    x.grad = 0.0
    slope.backward()
    assert x.grad == 18.0


def test_create_graph_twice_adds_up():
    x = Value(3.0)
    y = x * x
    y.backward(create_graph=True)
    y.backward(create_graph=True)
    assert x.grad.data == 12.0


def test_jvp_is_the_gradient_in_one_direction():
    f = lambda a, b: gg.sin(a * b) + a / b  # noqa: E731
    value, slope = gg.jvp(f, (0.5, 2.0), (1.0, -3.0))
    da, db = gg.grad(f)(0.5, 2.0)
    assert value == math.sin(1.0) + 0.25
    assert slope == pytest.approx(da - 3 * db)
    assert gg.jvp(lambda a: a.clamp(0, 1) + gg.sum([a, a, 1]), (0.5,), (2.0,)) == (2.5, 6.0)


def test_functions_may_use_values_from_outside():
    w = Value(5.0)
    assert gg.grad(lambda x: w * x**2)(2.0) == 20.0
    assert w.grad == 0.0


def test_bad_input_gets_one_sentence():
    own = Value(1.0, (Value(1.0),), "mine")
    with pytest.raises(ValueError, match="The rule of 'mine' was written by hand"):
        gradients(own * 2, [own._prev[0]])
    with pytest.raises(ValueError, match="got 2 inputs and 1 directions"):
        gg.jvp(lambda a, b: a, (1.0, 2.0), (1.0,))
    with pytest.raises(TypeError, match="returned None; a derivative needs one Value"):
        gg.grad(lambda x: None)(1.0)


def test_arguments_by_name_are_handed_on():
    assert gg.grad(lambda x, power=2: x**power)(3.0, power=3) == 27.0


def test_the_angle_of_no_vector_is_flat_as_in_pytorch():
    values = [Value(0.0), Value(0.0)]
    tensors = [torch.zeros((), dtype=torch.float64, requires_grad=True) for _ in "xy"]
    root, reference = values[0].atan2(values[1]), torch.atan2(*tensors)
    slopes = gradients(root, values)
    theirs = torch.autograd.grad(reference, tensors, create_graph=True)
    assert slopes == [slope.item() for slope in theirs] == [0.0, 0.0]
