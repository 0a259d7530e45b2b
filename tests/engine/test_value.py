"""What a Value is: the class of the lecture, complete."""

import copy
import gc
import math
import warnings
import weakref
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import torch

import glassgrad as gg
from glassgrad import Value
from glassgrad.engine.backward import Extremes


def test_the_exercise():
    a, b = Value(2.0), Value(-3.0)
    c = a * b + a
    assert c.data == -4.0
    c.backward()
    assert (a.grad, b.grad) == (-2.0, 2.0)
    assert repr(c) == "Value(data=-4.0, grad=1.0)"


def test_the_neuron_of_the_lecture():
    x1, x2, w1, w2 = Value(2.0), Value(0.0), Value(-3.0), Value(1.0)
    o = (x1 * w1 + x2 * w2 + Value(6.8813735870195432)).tanh()
    o.backward()
    assert o.data == pytest.approx(0.7071, abs=5e-5)
    assert [v.grad for v in (x1, w1, x2, w2)] == pytest.approx([-1.5, 1.0, 0.5, 0.0])


def test_it_spells_operations_as_micrograd_does():
    a, b = Value(2.0), Value(3.0)
    spelled = {"+": a + b, "*": a * b, "-": a - b, "/": a / b, "**": a**b, "**3": a**3}
    spelled |= {"**0.5": a**0.5, "**-1": a**-1, "tanh": a.tanh(), "ReLU": a.relu(), "exp": a.exp()}
    assert {op: value._op for op, value in spelled.items()} == {op: op for op in spelled}
    assert a._op == ""


def test_operands_keep_order_and_repeats():
    a, b = Value(2.0), Value(3.0)
    assert (a * a)._prev == (a, a)
    assert (b - a)._prev == (b, a)
    assert a.tanh()._prev == (a,)
    assert a._prev == ()


@pytest.mark.parametrize(
    ("make", "numbers", "slope"),
    [
        (lambda v: v * 3, (2.0, 3.0), 2.0),
        (lambda v: 3 - v, (3.0, 2.0), 1.0),
        (lambda v: v**3, (2.0, 3.0), 8 * math.log(2)),
        (lambda v: 6 / v, (6.0, 2.0), 0.5),
    ],
)
def test_a_number_becomes_a_value_when_somebody_asks_for_it(make, numbers, slope):
    v = Value(2.0)
    result = make(v)
    op = result._op
    before = make(v)
    before.backward()
    expected, v.grad = v.grad, 0.0
    assert tuple(p.data for p in result._prev) == numbers
    assert result._prev == result._prev  # the same objects each time
    result.backward()
    assert v.grad == expected
    constant = next(p for p in result._prev if p is not v)
    assert constant.grad == pytest.approx(slope)
    assert result._op == op
    result.data = 0.0
    assert result.forward() == before.data


def test_a_second_backward_adds_exactly_the_same():
    x = Value(3.0)
    square = x * x
    y = square * x
    y.backward()
    first = [v.grad for v in (x, square, y)]
    assert first == [27.0, 3.0, 1.0]
    y.backward()
    assert [v.grad for v in (x, square, y)] == [2 * g for g in first]
    y.zero_grad()
    assert [v.grad for v in (x, square, y)] == [0.0, 0.0, 0.0]


def test_zeroing_only_the_leaf_is_enough():
    x = Value(3.0)
    y = x * x * x
    y.backward()
    x.grad = 0.0
    y.backward()
    assert x.grad == 27.0


def test_two_roots_over_one_graph_accumulate():
    a = Value(2.0)
    s = a * a
    (s + 1).backward()
    (s * 3).backward()
    assert (a.grad, s.grad) == (16.0, 4.0)


def test_shared_values_send_once_all_has_arrived():
    a, b = Value(2.0), Value(3.0)
    c, d = a + b, a * b
    y = (c + d) + c * d
    y.backward()
    assert (y.data, a.grad, b.grad) == (41.0, 25.0, 19.0)


def test_a_deep_chain_and_many_paths():
    x = Value(1.0)
    s = x
    for _ in range(100_000):
        s = s + x
    s.backward()
    assert (s.data, x.grad) == (100_001.0, 100_001.0)
    s.zero_grad()
    doubled = x
    for _ in range(30):
        doubled = doubled + doubled
    doubled.backward()
    assert x.grad == 2.0**30


def test_a_deep_chain_is_freed():
    s = x = Value(1.0)
    for _ in range(100_000):
        s = s + x
    last = weakref.ref(s)
    del s
    gc.collect()
    assert last() is None


def test_driven_by_hand():
    a, b = Value(2.0), Value(-3.0)
    d = a * b
    c = d + a
    c.grad = 1.0
    c._backward()
    assert (d.grad, a.grad) == (1.0, 1.0)
    d._backward()
    assert (a.grad, b.grad) == (-2.0, 2.0)
    a._backward()  # a leaf passes nothing on
    assert (a.grad, b.grad) == (-2.0, 2.0)


def own_exp(self):
    out = Value(math.exp(self.data), (self,), "exp")

    def _backward():
        self.grad += out.data * out.grad

    out._backward = _backward
    return out


def test_an_operation_of_your_own():
    x = Value(1.0)
    y = own_exp(x * x) * x
    y.backward()
    assert x.grad == pytest.approx(3 * math.e)
    y.backward()
    assert x.grad == pytest.approx(6 * math.e)
    assert y._prev[0]._op == "exp"


def test_a_function_assigned_to_the_class():
    class Mine(Value):
        pass

    Mine.exp = own_exp
    x = Mine(1.0)
    y = x.exp()
    y.backward()
    assert x.grad == pytest.approx(math.e)


def test_a_subclass_stays_itself():
    class Parameter(Value):
        def clipped(self):
            return self.minimum(1.0)

    p = Parameter(3.0)
    y = (p * 2 + 1).clipped()
    assert type(y) is Parameter
    y.backward()
    assert p.grad == 0.0
    assert type(Value(1.0) + p) is Value


def test_replacing_the_rule_of_an_operation():
    a, b = Value(2.0), Value(3.0)
    c = a * b

    def wrong():
        a.grad += 10 * c.grad

    c._backward = wrong
    c.backward()
    assert (a.grad, b.grad) == (10.0, 0.0)
    assert (c._op, c._prev) == ("*", (a, b))


def test_a_rule_that_raises_changes_no_gradient():
    a = Value(2.0)
    inner = a * 3
    out = Value(1.0, (inner,), "mine")

    def broken():
        inner.grad += 1.0
        raise ZeroDivisionError("mine")

    out._backward = broken
    root = out * a
    inner.grad = 7.0
    a.grad = 5.0
    with pytest.raises(ZeroDivisionError, match="mine"):
        root.backward()
    assert (root.grad, out.grad, inner.grad, a.grad) == (0.0, 0.0, 7.0, 5.0)
    out._backward = lambda: None
    root.backward()
    assert (a.grad, inner.grad) == (6.0, 7.0)


def test_the_operands_of_an_own_operation_are_values():
    with pytest.raises(TypeError, match=r"got 3\.0\. Wrap it first: Value\(3\.0\)"):
        Value(1.0, (3.0,), "mine")


def test_an_own_operation_may_use_one_operand_twice_and_many():
    xs = [Value(float(i)) for i in range(5)]
    out = Value(sum(x.data for x in xs) + xs[0].data, (*xs, xs[0]), "total")

    def _backward():
        for x in out._prev:
            x.grad += out.grad

    out._backward = _backward
    (out * 2).backward()
    assert [x.grad for x in xs] == [4.0, 2.0, 2.0, 2.0, 2.0]


@pytest.mark.parametrize("x", [-400.0, 400.0])
def test_tanh_far_out(x):
    v = Value(x)
    y = v.tanh()
    y.backward()
    assert (y.data, v.grad) == (math.copysign(1.0, x), 0.0)


def test_far_out_and_close_in():
    assert Value(1000.0).sigmoid().data == 1.0
    assert Value(-1000.0).sigmoid().data == 0.0
    assert Value(1000.0).softplus().data == 1000.0
    assert Value(1e-20).log1p().data == 1e-20


def edge(make, *data):
    inputs = [Value(x) for x in data]
    result = make(*inputs)
    result.backward()
    return (result.data, *(v.grad for v in inputs))


def test_domain_edges_are_those_of_pytorch():
    inf = math.inf
    assert edge(lambda x: x.log(), 0.0) == (-inf, inf)
    assert edge(lambda x, y: x / y, 1.0, 0.0) == (inf, inf, -inf)
    assert edge(lambda x: x**0, 0.0) == (1.0, 0.0)
    assert edge(lambda x: x**0.5, 0.0) == (0.0, inf)
    assert edge(lambda x: x.relu(), 0.0) == (0.0, 0.0)
    assert edge(lambda x: x.abs(), 0.0) == (0.0, 0.0)
    assert edge(lambda x: x.exp(), 1000.0) == (inf, inf)
    assert all(map(math.isnan, edge(lambda x: x ** (1 / 3), -8.0)))
    assert all(map(math.isnan, edge(lambda x: x.log() * 0.0 + x, 0.0)))
    assert math.isnan(Value(-1.0).log().data)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("x", r"got the string 'x'\. .* Value\(float\('x'\)\)"),
        (None, r"got None\."),
        (1j, "got the complex number 1j"),
        ([1, 2], r"got list \[1, 2\]\. Write \[Value\(x\) for x in \.\.\.\]"),
        (Decimal(2), r"mixes with floats; got Decimal\('2'\)\. Write Value\(float\(x\)\)"),
        (Value(2), r"got the Value Value\(data=2\.0.*Use it as it is"),
    ],
)
def test_what_is_no_number_is_refused_in_one_sentence(data, says):
    with pytest.raises(TypeError, match=says):
        Value(data)


@pytest.mark.parametrize(
    "data", [7, True, Fraction(1, 2), np.float64(0.5), np.float32(2), np.int64(3)]
)
def test_every_real_number_is_stored_as_a_float(data):
    assert type(Value(data).data) is float
    assert Value(data).data == float(data)
    assert (Value(2.0) * data).data == 2.0 * float(data)
    assert (data * Value(2.0)).data == 2.0 * float(data)
    assert isinstance(data - Value(2.0), Value)


def test_other_objects_are_refused_by_the_operator():
    with pytest.raises(TypeError):
        Value(1.0) + "1"
    with pytest.raises(TypeError):
        None * Value(1.0)


def test_arrays_of_values():
    a, b = Value(2.0), Value(-3.0)
    vector = np.array([a, b])
    dot = np.array([[1.0, 2.0]]) @ vector
    assert dot[0].data == -4.0
    dot[0].backward()
    assert (a.grad, b.grad) == (1.0, 2.0)
    assert [v.data for v in np.tanh(vector)] == [math.tanh(2.0), math.tanh(-3.0)]
    assert vector.sum().data == -1.0
    assert [v.data for v in a * np.array([1.0, 2.0])] == [2.0, 4.0]
    assert [v.data for v in np.array([1.0, 2.0]) - a] == [-1.0, 0.0]
    assert np.exp(a).data == math.exp(2.0)


def test_numpy_finds_its_own_names_and_the_rules_of_the_table():
    x, y = Value(0.5), Value(0.25)
    for name in ("arcsin", "arccos", "arctan", "arcsinh", "arctanh"):
        assert getattr(np, name)(np.array([x]))[0].data == pytest.approx(getattr(np, name)(0.5))
    assert np.arccosh(Value(2.0)).data == pytest.approx(np.arccosh(2.0))
    assert np.arctan2(x, y).data == pytest.approx(np.arctan2(0.5, 0.25))
    assert (np.maximum(x, 1.0)._op, np.minimum(0.25, y)._op) == ("maximum", "minimum")
    tie = np.minimum(0.25, y)
    tie.backward()
    assert (tie.data, y.grad) == (0.25, 0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert math.isnan(np.arcsin(Value(2.0)).data)


@pytest.mark.parametrize("data", [np.array(0.5), np.bool_(True), torch.tensor(0.5)])
def test_an_array_of_one_number_is_a_number(data):
    assert Value(data).data == float(data)


def test_a_format_is_that_of_the_number():
    assert f"{Value(2.0):.3f} {Value(2.0)}" == "2.000 Value(data=2.0, grad=0.0)"


@pytest.mark.parametrize("x", ["2", None, np.array([1.0]), 1j])
@pytest.mark.parametrize(
    "function", [gg.tanh, lambda x: gg.maximum(x, 1), lambda x: gg.sum([1, x])]
)
def test_a_function_says_what_it_needs(function, x):
    with pytest.raises(TypeError, match=r"(tanh|maximum|sum) needs Values or numbers; got"):
        function(x)


def test_as_a_number():
    v = Value(2.5)
    assert (float(v), int(v), bool(v), bool(Value(0.0))) == (2.5, 2, True, False)
    assert v < 3
    assert v >= Value(2.5)
    assert Value(1.0) != Value(1.0)
    assert len({Value(1.0), Value(1.0)}) == 2
    assert max(Value(1.0), v) is v
    assert (abs(Value(-2.0)).data, (+v) is v) == (2.0, True)


def test_forward_recomputes_in_place_with_the_slopes():
    w, x = Value(1.0), Value(2.0)
    loss = (w * x - 3) ** 2 + 1 / x
    loss.backward()
    assert loss.data == 1.5
    w.data = 1.4
    assert loss.forward() == pytest.approx(0.04 + 0.5)
    loss.zero_grad()
    loss.backward()
    assert w.grad == pytest.approx(2 * -0.2 * 2)


def test_data_changed_after_the_forward_pass_does_not_change_the_slopes():
    x = Value(3.0)
    y = x * x
    x.data = 100.0
    y.backward()
    assert x.grad == 6.0


def test_in_place_addition_makes_a_new_value():
    a = Value(2.0, label="a")
    old = a
    a += 1
    a.backward()
    assert (old.data, a.data, old.grad, a.label) == (2.0, 3.0, 1.0, "")


def test_a_label_belongs_to_one_value():
    a = Value(2.0)
    a.label = "a"
    assert (a.label, (a * 2).label) == ("a", "")


def test_a_copy_of_a_leaf_is_a_leaf():
    a = copy.copy(Value(2.0, label="a"))
    assert (a.data, a.label, a._prev) == (2.0, "a", ())


# -- edges of slope 0 are not walked, except where that would hide a nan ------------------------


@pytest.fixture
def calm(monkeypatch):
    """As in a fresh process: no inf, nan or unknown rule was met yet."""
    monkeypatch.setattr(Extremes, "met", False)


@pytest.mark.usefixtures("calm")
def test_a_dead_relu_passes_zero_and_is_not_walked():
    a, b = Value(2.0), Value(-3.0)
    product = a * b
    y = product.relu() + a
    product.grad = 5.0
    y.backward()
    assert (a.grad, b.grad, product.grad) == (1.0, 0.0, 5.0)
    assert not Extremes.met


@pytest.mark.usefixtures("calm")
@pytest.mark.parametrize(
    "hidden",
    [
        lambda x: x.sqrt() - 1.0,  # slope inf where the result is finite
        lambda x: x.log(),
        lambda x: x * (x + 1e308) * -1e10,  # overflows
        lambda x: -((x + 1e308) * 1e10) * (1 - x),
        lambda x: x * math.inf - 1.0,
        lambda x: 1.0 / -((x + 1.0) * math.inf),  # finite again
        lambda x: 0.0 * x * (x + math.inf) - 1.0,
    ],
)
def test_zero_times_infinity_stays_nan_behind_a_dead_relu(hidden):
    x = Value(0.0)
    reference = torch.tensor(0.0, dtype=torch.float64, requires_grad=True)
    hidden(x).relu().backward()
    hidden(reference).relu().backward()
    assert x.grad == pytest.approx(reference.grad.item(), nan_ok=True)


@pytest.mark.usefixtures("calm")
def test_zero_times_infinity_stays_nan_where_nothing_but_products_was_met():
    zero, x = Value(0.0), Value(1.0)
    (zero * (x * math.inf)).backward()
    assert math.isnan(x.grad)


@pytest.mark.usefixtures("calm")
def test_a_gradient_that_overflows_on_the_way_is_nan_behind_a_slope_of_zero():
    x = Value(-1.0)
    y = x.relu() * 1e200 * 1e200
    y.backward()
    assert math.isnan(x.grad)
    assert (y.grad, y._pending) == (1.0, 0)


@pytest.mark.usefixtures("calm")
def test_an_own_rule_behind_a_dead_relu_is_still_run():
    x = Value(1.0)
    ran = []
    out = Value(-1.0, (x,), "mine")
    out._backward = lambda: ran.append(out.grad)
    out.relu().backward()
    assert ran == [0.0]


# -- what micrograd's own tests compute, and the figures that it publishes ----------------------


def test_the_expression_of_micrograds_readme():
    a, b = Value(-4.0), Value(2.0)
    c = a + b
    d = a * b + b**3
    c += c + 1
    c += 1 + c + (-a)
    d += d * 2 + (b + a).relu()
    d += 3 * d + (b - a).relu()
    e = c - d
    f = e**2
    g = f / 2.0
    g += 10.0 / f
    g.backward()
    assert g.data == pytest.approx(24.7041, abs=5e-5)
    assert a.grad == pytest.approx(138.8338, abs=5e-5)
    assert b.grad == pytest.approx(645.5773, abs=5e-5)
