"""What is measured, written once for every engine: an expression over leaves, and its gradient.

The gradients are worked out by hand here, so that an engine which is fast and wrong is found out.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import numpy as np

SIZES = ((2, 16), (16, 16), (16, 1))
DECAY = 1e-4
RATE = 0.05
DEMO_NODES = 65_818  # what micrograd makes of the demo's loss; memory is given per node of these


@dataclass(frozen=True)
class Workload:
    """Leaves, what is computed from them, and the gradient of that."""

    inputs: list[float]
    expression: Callable[[Any, list[Any]], Any]  # (engine, leaves) -> root
    gradient: list[float]


def neuron() -> Workload:
    """Return the lecture's neuron: tanh of two products and a bias."""

    def expression(engine: Any, leaves: list[Any]) -> Any:
        x1, x2, w1, w2, b = leaves
        return engine.tanh(x1 * w1 + x2 * w2 + b)

    x1, x2, w1, w2, b = inputs = [2.0, 0.5, -0.8, 1.0, 0.88]
    slope = 1 - math.tanh(x1 * w1 + x2 * w2 + b) ** 2
    return Workload(inputs, expression, [slope * s for s in (w1, w2, x1, x2, 1)])


def chain(size: int) -> Workload:
    """Return `size` products and sums, each of the one before: as deep as it is long."""

    def expression(engine: Any, leaves: list[Any]) -> Any:
        (x,) = leaves
        for _ in range(size):
            x = x * 1.0001 + 0.001
        return x

    return Workload([1.0], expression, [1.0001**size])


def wide(size: int) -> Workload:
    """Return the sum of `size` products of leaves."""

    def expression(engine: Any, leaves: list[Any]) -> Any:
        return sum(a * b for a, b in zip(leaves[:size], leaves[size:], strict=True))

    random = Random(3)
    inputs = [random.uniform(-1, 1) for _ in range(2 * size)]
    return Workload(inputs, expression, inputs[size:] + inputs[:size])


def demo(operators: bool = False) -> Workload:
    """Return the loss of micrograd's demo: MLP(2, [16, 16, 1]), 100 moons, hinge loss and L2.

    Each engine computes a neuron as its own networks do, or from `operators` alone.
    """

    def expression(engine: Any, parameters: list[Any]) -> Any:
        neuron = weighted_sum if operators else engine.neuron
        layers = _layers(parameters)
        scores = []
        for point in points:
            x = [engine.constant(coordinate) for coordinate in point]
            for i, layer in enumerate(layers):
                x = [neuron(ws, x, b) for ws, b in layer]
                if i < len(layers) - 1:
                    x = [engine.relu(v) for v in x]
            scores.append(x[0])
        losses = [engine.relu(1 + -side * s) for side, s in zip(sides, scores, strict=True)]
        return sum(losses) * (1.0 / len(losses)) + DECAY * sum(p * p for p in parameters)

    x, y = moons()
    points, sides = x.tolist(), y.tolist()
    inputs = start()
    return Workload(inputs, expression, demo_gradient(np.array(inputs)).tolist())


def weighted_sum(weights: list[Any], inputs: list[Any], bias: Any) -> Any:
    """Return the bias plus the products, one operation after the other, as micrograd does."""
    return sum((w * x for w, x in zip(weights, inputs, strict=True)), bias)


@cache
def moons() -> tuple[np.ndarray, np.ndarray]:
    """Return 100 points on two half circles, and their sides."""
    random = np.random.default_rng(1)
    t = np.linspace(0, np.pi, 50)
    upper, lower = np.c_[np.cos(t), np.sin(t)], np.c_[1 - np.cos(t), 0.5 - np.sin(t)]
    order = random.permutation(100)
    x = np.r_[upper, lower] + random.normal(0, 0.1, (100, 2))
    return x[order], np.repeat([-1.0, 1.0], 50)[order]


def start() -> list[float]:
    """Return the 337 parameters before training, in micrograd's order."""
    random = Random(7)
    return [
        number
        for nin, nout in SIZES
        for _ in range(nout)
        for number in [*(random.uniform(-1, 1) for _ in range(nin)), 0.0]
    ]


def _layers(flat: list[Any]) -> list[list[tuple[list[Any], Any]]]:
    """Return (weights, bias) per neuron and layer."""
    rest = iter(flat)
    return [
        [([next(rest) for _ in range(nin)], next(rest)) for _ in range(nout)] for nin, nout in SIZES
    ]


def matrices(flat: Any) -> list[Any]:
    """Return one matrix per layer, a row per neuron, the bias last: views into `flat`."""
    found, begin = [], 0
    for nin, nout in SIZES:
        end = begin + nout * (nin + 1)
        found.append(flat[begin:end].reshape(nout, nin + 1))
        begin = end
    return found


def demo_gradient(flat: np.ndarray) -> np.ndarray:
    """Return the gradient of the demo's loss as somebody writes it who needs no autograd."""
    x, y = moons()
    first, second, last = matrices(flat)
    z1 = x @ first[:, :-1].T + first[:, -1]
    h1 = np.maximum(z1, 0)
    z2 = h1 @ second[:, :-1].T + second[:, -1]
    h2 = np.maximum(z2, 0)
    scores = (h2 @ last[:, :-1].T + last[:, -1])[:, 0]
    to_scores = (-y * (1 - y * scores > 0) / len(y))[:, None]
    to_z2 = to_scores @ last[:, :-1] * (z2 > 0)
    to_z1 = to_z2 @ second[:, :-1] * (z1 > 0)
    parts = [
        np.c_[upstream.T @ inputs, upstream.sum(0)].ravel()
        for upstream, inputs in ((to_z1, x), (to_z2, h1), (to_scores, h2))
    ]
    return np.concatenate(parts) + 2 * DECAY * flat
