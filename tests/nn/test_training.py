"""`fit`: the loop that everybody writes, with the collector paused and a bar if wanted."""

import gc
import subprocess
import sys
import weakref

import pytest

from glassgrad.engine.value import Value
from glassgrad.nn import MLP, binary_cross_entropy, cross_entropy, fit, mse
from glassgrad.optim import SGD, Adam


def test_it_is_the_loop_written_by_hand():
    x, y = Value(3.0), Value(3.0)
    losses = fit(lambda: x * x, SGD([x], lr=0.1), steps=4)

    by_hand = []
    for _ in range(4):
        loss = y * y
        y.grad = 0.0
        loss.backward()
        y.data -= 0.1 * y.grad
        by_hand.append(loss.data)
    assert (losses, x.data) == (by_hand, y.data)


def test_the_collector_rests_during_a_step_and_works_between_steps():
    states = []

    def loss():
        states.append(gc.isenabled())
        return x * x

    x = Value(1.0)
    fit(loss, SGD([x], lr=0.1), steps=2)
    assert states == [False, False]
    assert gc.isenabled()


def test_the_graph_of_a_step_is_gone_before_the_next_begins():
    alive = []

    def loss():
        assert all(graph() is None for graph in alive)
        value = x * x
        alive.append(weakref.ref(value))
        return value

    x = Value(1.0)
    fit(loss, SGD([x], lr=0.1), steps=3)
    assert [graph() for graph in alive] == [None] * 3


def test_a_progress_bar_shows_the_loss(capsys):
    x = Value(3.0)
    losses = fit(lambda: x * x, SGD([x], lr=0.1), steps=3, progress=True)
    bar = capsys.readouterr().err
    assert "3/3" in bar
    assert f"loss {losses[-1]:.4g}" in bar


def test_a_loss_that_is_no_value_is_refused():
    x = Value(3.0)
    with pytest.raises(TypeError, match=r"returns the loss as a Value; it returned 9\.0"):
        fit(lambda: (x * x).data, SGD([x], lr=0.1), steps=3)


def test_without_tqdm_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    x = Value(3.0)
    with pytest.raises(ImportError, match="pip install tqdm"):
        fit(lambda: x * x, SGD([x], lr=0.1), steps=3, progress=True)


def test_exclusive_or():
    model = MLP(2, [4, 1], activation="tanh", seed=3)
    points, answers = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]

    def loss():
        return binary_cross_entropy([model(point) for point in points], answers)

    losses = fit(loss, Adam(model.parameters(), lr=0.1), steps=150)
    assert losses[0] > 0.5
    assert losses[-1] < 0.05
    assert [model(point).data > 0 for point in points] == [False, True, True, False]


def test_three_classes():
    model = MLP(1, [8, 3], activation="tanh", seed=1)
    points, classes = [-2.0, -1.5, -0.2, 0.3, 1.4, 2.2], [0, 0, 1, 1, 2, 2]

    def loss():
        return cross_entropy([model(point) for point in points], classes)

    fit(loss, Adam(model.parameters(), lr=0.1), steps=60)
    scores = [[score.data for score in model(point)] for point in points]
    assert [row.index(max(row)) for row in scores] == classes


def test_a_line():
    model = MLP(1, [1], seed=1)
    points = [0.0, 1.0, 2.0]

    def loss():
        return mse([model(x) for x in points], [2 * x + 1 for x in points])

    fit(loss, SGD(model.parameters(), lr=0.1, momentum=0.9), steps=200)
    assert [p.data for p in model.parameters()] == pytest.approx([2.0, 1.0], abs=1e-3)


def test_it_needs_neither_numpy_nor_tqdm():
    program = (
        "import sys, glassgrad as gg\n"
        "model = gg.nn.MLP(2, [3, 1], seed=1)\n"
        "optimizer = gg.optim.Adam(model.parameters())\n"
        "gg.nn.fit(lambda: gg.nn.mse(model([1.0, 2.0]), 3.0), optimizer, steps=2)\n"
        "print(*sorted({'numpy', 'tqdm', 'IPython'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == ""
