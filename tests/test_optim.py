"""Optimisers: PyTorch's steps, for single Values and for whole arrays."""

import math
import pickle

import numpy as np
import pytest
import torch

from glassgrad import optim
from glassgrad.engine.value import Value
from glassgrad.nn import MLP

START = [-0.5, 0.5, 0.3]
STEPS = 50

# our class and options; PyTorch's class
SETTINGS = {
    "sgd": (optim.SGD, {"lr": 0.01}, torch.optim.SGD),
    "momentum": (optim.SGD, {"lr": 0.01, "momentum": 0.9}, torch.optim.SGD),
    "decay": (
        optim.SGD,
        {"lr": 0.01, "momentum": 0.5, "weight_decay": 0.1},
        torch.optim.SGD,
    ),
    "adam": (optim.Adam, {"lr": 0.05}, torch.optim.Adam),
    "adam with options": (
        optim.Adam,
        {"lr": 0.05, "betas": (0.8, 0.95), "eps": 1e-3, "weight_decay": 0.1},
        torch.optim.Adam,
    ),
}


def valley(x, y, z):
    """Return Rosenbrock's valley, and a parameter whose gradient is often 0."""
    return (1 - x) ** 2 + 5 * (y - x * x) ** 2 + (z - 0.2).relu()


def values_after(optimizer, values, steps=STEPS):
    """Return the parameters after each step."""
    path = []
    for _ in range(steps):
        optimizer.zero_grad()
        valley(*values).backward()
        optimizer.step()
        path.append([value.data for value in values])
    return np.array(path)


@pytest.mark.parametrize("name", SETTINGS)
def test_the_steps_are_those_of_pytorch(name):
    ours, options, theirs = SETTINGS[name]
    values = [Value(x) for x in START]
    tensors = [torch.tensor(x, dtype=torch.double, requires_grad=True) for x in START]

    path = values_after(ours(values, **options), values)
    optimizer = theirs(tensors, **options)
    expected = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        valley(*tensors).backward()
        optimizer.step()
        expected.append([tensor.item() for tensor in tensors])

    assert np.isfinite(path).all()
    np.testing.assert_allclose(path, expected, rtol=1e-11)
    assert len(np.unique(path, axis=0)) == STEPS


@pytest.mark.parametrize("name", SETTINGS)
def test_arrays_move_as_values_do(name):
    ours, options, _ = SETTINGS[name]
    values = [Value(x) for x in START]
    expected = values_after(ours(values, **options), values)

    optimizer = ours(values, **options)
    path = [np.array(START)]
    for _ in range(STEPS):
        leaves = [Value(x) for x in path[-1].tolist()]
        valley(*leaves).backward()
        path += optimizer.move([path[-1]], [np.array([leaf.grad for leaf in leaves])])
    np.testing.assert_allclose(path[1:], expected, rtol=1e-11)
    assert path[0].tolist() == START  # a step leaves the old array as it is


@pytest.mark.parametrize("name", SETTINGS)
def test_data_stay_plain_floats(name):
    ours, options, _ = SETTINGS[name]
    values = [Value(x) for x in START]
    values_after(ours(values, **options), values, steps=2)
    assert {type(value.data) for value in values} == {float}


@pytest.mark.parametrize(
    "lr",
    [
        optim.constant(0.1),
        optim.linear(1.0, 0.0, steps=4),
        optim.cosine(1.0, 0.0, steps=4),
        optim.stepped(1.0, factor=0.5, every=2),
    ],
)
def test_a_pickled_optimiser_goes_on_where_it_was(lr):
    x = Value(3.0)
    optimizer = optim.Adam([x], lr=lr)
    for _ in range(2):
        (x * x).backward()
        optimizer.step()
    twin = pickle.loads(pickle.dumps(optimizer))
    for each in (optimizer, twin):
        each.step()
    assert twin.parameters[0].data == x.data
    assert twin.rate() == optimizer.rate()


def test_a_shared_parameter_moves_once():
    shared = Value(1.0)
    optimizer = optim.SGD([shared, Value(0.0), shared], lr=0.1)
    shared.grad = 1.0
    optimizer.step()
    assert shared.data == 0.9


def test_zero_grad():
    model = MLP(2, [2, 1], seed=1)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    model([1.0, 2.0]).backward()
    optimizer.zero_grad()
    assert [parameter.grad for parameter in model.parameters()] == [0.0] * 9


def test_gradients_that_are_not_finite_go_on_as_in_pytorch():
    for grad in (math.inf, math.nan, 1e200):
        value, tensor = Value(1.0), torch.tensor(1.0, dtype=torch.double, requires_grad=True)
        value.grad, tensor.grad = grad, torch.tensor(grad, dtype=torch.double)
        optim.Adam([value], lr=0.1).step()
        torch.optim.Adam([tensor], lr=0.1).step()
        assert value.data == pytest.approx(tensor.item(), nan_ok=True)


class TestSchedules:
    def test_the_rate_is_asked_for_with_the_number_of_steps_taken(self):
        asked = []

        def schedule(step):
            asked.append(step)
            return 0.5**step

        x = Value(0.0)
        optimizer = optim.SGD([x], lr=schedule)
        del asked[:]
        for _ in range(3):
            x.grad = -1.0
            optimizer.step()
        assert asked == [0, 1, 2]
        assert x.data == 1.75

    @pytest.mark.parametrize(
        ("schedule", "theirs"),
        [
            (
                optim.constant(0.5),
                lambda o: torch.optim.lr_scheduler.ConstantLR(o, factor=1.0),
            ),
            (
                optim.linear(0.5, 0.05, steps=20),
                lambda o: torch.optim.lr_scheduler.LinearLR(o, 1.0, 0.1, total_iters=20),
            ),
            (
                optim.cosine(0.5, 0.05, steps=30),
                lambda o: torch.optim.lr_scheduler.CosineAnnealingLR(o, 30, eta_min=0.05),
            ),
            (
                optim.stepped(0.5, factor=0.1, every=7),
                lambda o: torch.optim.lr_scheduler.StepLR(o, 7, gamma=0.1),
            ),
        ],
    )
    def test_they_are_those_of_pytorch(self, schedule, theirs):
        optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.5)
        scheduler = theirs(optimizer)
        expected = []
        for _ in range(30):
            expected.append(scheduler.get_last_lr()[0])
            optimizer.step()
            scheduler.step()
        assert [schedule(step) for step in range(30)] == pytest.approx(expected, rel=1e-9)

    def test_they_begin_and_end_exactly_where_you_say(self):
        for schedule in (optim.linear(0.3, 0.1, steps=7), optim.cosine(0.3, 0.1, steps=7)):
            assert (schedule(0), schedule(7), schedule(100)) == (0.3, 0.1, 0.1)


X = Value(1.0)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: optim.SGD([], lr=0.1), "SGD got no parameters, so there is nothing to train."),
        (lambda: optim.SGD(MLP(1, [1]), lr=0.1), "Write model.parameters() for those of a"),
        (lambda: optim.SGD(X, lr=0.1), "SGD needs a list of Values; got Value("),
        (lambda: optim.Adam([1.0]), "Adam moves Values; got 1.0. Write Value(1.0)"),
        (lambda: optim.SGD([X * 2], lr=0.1), "which is computed from other values."),
        (lambda: optim.SGD([X], lr=-0.1), "SGD needs a learning rate of 0 or more; got -0.1."),
        (lambda: optim.SGD([X], lr=math.nan), "a learning rate of 0 or more; got nan."),
        (lambda: optim.SGD([X], lr=lambda step: -1.0), "learning rate of 0 or more; got -1.0."),
        (lambda: optim.SGD([X], 0.1, momentum=-1), "SGD needs a momentum of 0 or more; got -1."),
        (lambda: optim.SGD([X], 0.1, weight_decay=-1), "a weight decay of 0 or more; got -1."),
        (lambda: optim.Adam([X], betas=(0.9, 1.0)), "betas from 0 to below 1; got 1.0."),
        (lambda: optim.Adam([X], eps=0.0), "Adam needs an eps above 0; got 0.0."),
        (lambda: optim.Adam([X], weight_decay=-1), "a weight decay of 0 or more; got -1."),
        (lambda: optim.linear(1.0, 0.0, 0), "linear needs a number of steps of at least 1;"),
        (lambda: optim.cosine(1.0, 0.0, -1), "cosine needs a number of steps of at least 1;"),
        (lambda: optim.stepped(1.0, 0.5, 0), "stepped needs a number of steps of at least 1;"),
    ],
)
def test_wrong_input_gets_one_sentence(wrong, sentence):
    with pytest.raises((TypeError, ValueError)) as caught:
        wrong()
    assert sentence in str(caught.value)
