"""Our own Value, held against what other classes got wrong: see ``tests/data/cases.json``."""

import copy
import pickle

import numpy as np
import pytest
from cases import CASES, number, of_kind, run

import glassgrad as gg

NUMERIC = [
    case
    for case in of_kind(
        "accumulate", "order", "repeat", "depth", "domain", "check", "operators", "numbers",
        "detached", "stale", "identity", "draw",
    )
    if case["leaves"] and case["grads"] and case["id"] != "c063" and case["id"] != "c065"
]  # fmt: skip
FUNCTIONS = {name: getattr(gg, name) for name in ("exp", "log", "tanh", "relu")}


def close(item):
    return pytest.approx(number(item), rel=1e-9, nan_ok=True)


def test_every_case_is_told_in_full():
    assert len(CASES) == 61
    assert all(case["about"] and case["expected"] for case in CASES.values())


@pytest.mark.parametrize("case", NUMERIC, ids=lambda case: case["id"])
def test_value_and_gradients(case):
    names = run(case, gg.Value)
    root = names["root"]
    root.backward()
    assert root.data == close(case["value"])
    for leaf, grad in zip(case["leaves"], case["grads"], strict=True):
        assert names[leaf].grad == close(grad)


@pytest.mark.parametrize(
    "case", [case for case in NUMERIC if case["expr"]], ids=lambda case: case["id"]
)
def test_expression_has_the_same_numbers(case):
    leaves = [gg.Value(x) for x in case["at"]]
    root = eval(case["expr"], FUNCTIONS)(*leaves)
    root.backward()
    assert root.data == close(case["value"])
    assert [leaf.grad for leaf in leaves] == [close(grad) for grad in case["grads"]]


def test_second_backward_after_zeroing_only_the_leaf():
    names = run(CASES["c009"], gg.Value)
    x, root = names["x"], names["root"]
    root.backward()
    x.grad = 0.0
    root.backward()
    assert x.grad == 27.0


def test_gradients_add_up_over_steps_until_they_are_cleared():
    w, x = gg.Value(1.0), gg.Value(2.0)
    held = []
    for _ in range(3):
        (w * x).backward()
        held.append(w.grad)
    assert held == CASES["c010"]["without_zero"]


def test_numpy_scalars_become_floats():
    root = run(CASES["c050"], gg.Value)["root"]
    assert repr(root) == "Value(data=0.5, grad=0.0)"
    assert type(root.data) is float


def test_exponent_from_numpy():
    v = gg.Value(2.0)
    assert type((v ** np.int64(3)).data) is float


def test_infinity_times_nothing():
    assert np.isnan(run(CASES["c051"], gg.Value)["root"].data)


def test_value_of_a_value_is_refused_in_one_sentence():
    with pytest.raises(TypeError) as caught:
        run(CASES["c053"], gg.Value)
    assert "\n" not in str(caught.value)


def test_quotient_keeps_its_operands():
    root = run(CASES["c055"], gg.Value)["root"]
    assert len(root._prev) == 2


def test_numbers_after_an_update_are_old_until_computed_again():
    names = run(CASES["c057"], gg.Value)
    w, root = names["w"], names["root"]
    root.backward()
    w.data -= 0.1 * w.grad
    assert root.data == 4.0
    assert root.forward() == pytest.approx(CASES["c057"]["after_update"])


def test_sum_in_place_makes_a_new_value():
    names = run(CASES["c059"], gg.Value)
    assert (names["old"].data, names["old"].label, names["root"].label) == (2.0, "a", "")


def test_equality_is_identity():
    a, b = gg.Value(2.0), gg.Value(2.0)
    assert a != b
    assert len({a, b}) == 2


def test_backward_of_a_copy_fills_the_copy():
    a, b = gg.Value(2.0), gg.Value(3.0)
    root = copy.deepcopy(a * b)
    root.backward()
    assert [operand.grad for operand in root._prev] == CASES["c063"]["grads"]
    assert (a.grad, b.grad) == (0.0, 0.0)


def test_graph_of_values_is_pickled():
    root = pickle.loads(pickle.dumps(run(CASES["c064"], gg.Value)["root"]))
    root.backward()
    assert [operand.grad for operand in root._prev] == [3.0, 2.0]
