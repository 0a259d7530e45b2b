"""Losses: PyTorch's values and gradients, and fifty digits where PyTorch rounds as well."""

import mpmath
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from glassgrad.engine.value import Value
from glassgrad.nn import binary_cross_entropy, cross_entropy, hinge, mse

SCORES = st.floats(-1000, 1000) | st.sampled_from([0.0, 1.0, 30.0, -30.0, 1000.0, -1000.0])


def ours(loss, scores, targets):
    """Return a loss and its gradients for scores that are numbers, in one list or in rows."""
    values = [[Value(s) for s in row] for row in np.atleast_2d(np.array(scores)).tolist()]
    result = loss(values if np.ndim(scores) == 2 else values[0], targets)
    result.backward()
    return result.data, [v.grad for row in values for v in row]


def pytorchs(loss, scores, targets, dtype=torch.double):
    tensor = torch.tensor(scores, dtype=torch.double, requires_grad=True)
    result = loss(tensor, torch.tensor(targets, dtype=dtype))
    result.backward()
    return result.item(), tensor.grad.flatten().tolist()


def assert_same(got, expected):
    """Compare losses and gradients; near 0 PyTorch's own have been rounded, as 1 - 1 is."""
    assert got[0] == pytest.approx(expected[0], rel=1e-13, abs=1e-13)
    assert got[1] == pytest.approx(expected[1], rel=1e-13, abs=1e-15)


FUNCTIONAL = torch.nn.functional


@settings(deadline=None)
@given(st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=5))
def test_mse_is_that_of_pytorch(pairs):
    scores, targets = map(list, zip(*pairs, strict=True))
    assert_same(ours(mse, scores, targets), pytorchs(FUNCTIONAL.mse_loss, scores, targets))


@settings(deadline=None)
@given(st.lists(st.tuples(SCORES, st.sampled_from([1.0, -1.0])), min_size=1, max_size=5))
def test_hinge_is_that_of_pytorch(pairs):
    scores, targets = map(list, zip(*pairs, strict=True))
    expected = pytorchs(lambda s, t: torch.relu(1 - t * s).mean(), scores, targets)
    assert_same(ours(hinge, scores, targets), expected)


@settings(deadline=None)
@given(st.lists(st.tuples(SCORES, st.sampled_from([0.0, 1.0, 0.25])), min_size=1, max_size=5))
def test_binary_cross_entropy_is_that_of_pytorch(pairs):
    scores, targets = map(list, zip(*pairs, strict=True))
    got = ours(binary_cross_entropy, scores, targets)
    expected = pytorchs(FUNCTIONAL.binary_cross_entropy_with_logits, scores, targets)
    assert_same(got, expected)


@settings(deadline=None)
@given(
    st.integers(2, 5).flatmap(
        lambda n: st.lists(
            st.tuples(st.lists(SCORES, min_size=n, max_size=n), st.integers(0, n - 1)),
            min_size=1,
            max_size=4,
        )
    )
)
def test_cross_entropy_is_that_of_pytorch(examples):
    rows, targets = map(list, zip(*examples, strict=True))
    got = ours(cross_entropy, rows, targets)
    expected = pytorchs(FUNCTIONAL.cross_entropy, rows, targets, torch.long)
    assert_same(got, expected)


@pytest.mark.parametrize("size", range(2, 5))
def test_equal_scores_share_the_gradient(size):
    value, grads = ours(cross_entropy, [7.0] * size, size - 1)
    assert value == pytest.approx(np.log(size), rel=1e-15)
    assert grads == pytest.approx([1 / size] * (size - 1) + [1 / size - 1], rel=1e-15)


def test_one_value_as_two_scores():
    score = Value(3.0)
    loss = cross_entropy([score, score], 0)
    loss.backward()
    assert (loss.data, score.grad) == (pytest.approx(np.log(2)), 0.0)


@pytest.mark.parametrize("gap", [5.0, 40.0, 100.0, 700.0])
def test_the_loss_of_a_sure_and_right_answer_is_exact(gap):
    with mpmath.workdps(50):
        loss = float(mpmath.log1p(mpmath.exp(-gap)))
        slope = float(1 / (1 + mpmath.exp(gap)))
    assert ours(cross_entropy, [0.0, gap], 1) == (
        pytest.approx(loss, rel=1e-14, abs=0),
        pytest.approx([slope, -slope], rel=1e-14, abs=0),
    )
    assert ours(binary_cross_entropy, [gap], [1]) == (
        pytest.approx(loss, rel=1e-14, abs=0),
        pytest.approx([-slope], rel=1e-14, abs=0),
    )


@pytest.mark.parametrize("loss", [mse, hinge, binary_cross_entropy])
def test_one_output_is_a_list_of_one(loss):
    output = Value(0.25)
    assert loss(output, 1).data == loss([output], [1]).data == loss(iter([output]), (1,)).data


def test_targets_may_be_values():
    target = Value(0.25)
    mse(Value(1.0), target).backward()
    assert target.grad == -1.5
    target.grad = 0.0
    binary_cross_entropy(Value(2.0), target).backward()
    assert target.grad == pytest.approx(-2.0)
    assert hinge(Value(0.5), Value(-1.0)).data == 1.5


def test_classes_may_come_from_numpy():
    scores = np.array([[Value(1.0), Value(2.0)], [Value(3.0), Value(3.0)]])
    assert cross_entropy(scores, np.array([0, 1])).data == pytest.approx(
        (np.log1p(np.e) + np.log(2)) / 2
    )


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: mse([], []), "mse got 0 outputs and 0 targets;"),
        (lambda: mse([Value(1.0)], [1.0, 2.0]), "mse got 1 outputs and 2 targets;"),
        (lambda: mse([0.5], [1.0]), "mse needs Values as outputs; got 0.5,"),
        (lambda: hinge(Value(1.0), 0), "Write 2 * target - 1 to turn 1 and 0 into them."),
        (lambda: binary_cross_entropy(Value(1.0), -1), "needs targets from 0 to 1; got -1."),
        (lambda: binary_cross_entropy(Value(1.0), float("nan")), "from 0 to 1; got nan."),
        (lambda: cross_entropy([], []), "cross_entropy got 0 outputs and 0 targets;"),
        (lambda: cross_entropy([Value(1.0)], 0), "For yes or no from one score use binary"),
        (lambda: cross_entropy([Value(1.0)] * 2, 2), "got class 2 and 2 scores; classes are"),
        (lambda: cross_entropy([Value(1.0)] * 2, -1), "counted from 0 to 1."),
        (lambda: cross_entropy([Value(1.0)] * 2, 0.5), "a whole number; got 0.5."),
        (lambda: cross_entropy([1.0, 2.0], 0), "cross_entropy needs Values as outputs; got 1.0,"),
    ],
)
def test_wrong_input_gets_one_sentence(wrong, sentence):
    with pytest.raises((TypeError, ValueError)) as caught:
        wrong()
    assert sentence in str(caught.value)
