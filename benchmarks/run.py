"""Measures the engine: forward and backward, beside micrograd where that is installed.

`make bench` prints a table.  The engines take turns within every round, so that a busy moment of
the machine falls on both; the median over the rounds is reported.  Trust the ratio, not the times.
"""

import gc
import importlib
import importlib.util
import statistics
import time
from collections.abc import Callable
from random import Random
from typing import Any

Workload = Callable[[], float]
"""Builds a graph, runs backward and returns the root's data."""

ENGINES = {"glassgrad": "glassgrad", "micrograd": "micrograd.engine"}


def neuron(value: Any) -> Workload:
    """Return one neuron of 64 inputs with a relu: 130 values."""
    random = Random(1)
    weights = [value(random.uniform(-1, 1)) for _ in range(64)]
    inputs = [random.uniform(-1, 1) for _ in range(64)]

    def run() -> float:
        out = sum((w * x for w, x in zip(weights, inputs, strict=True)), value(4.0)).relu()
        out.backward()
        return out.data

    return run


def demo_step(value: Any) -> Workload:
    """Return a step of micrograd's demo: a 2-16-16-1 net, 100 samples, hinge loss and decay."""
    random = Random(1)

    def layer(inputs: int, outputs: int) -> list[list[Any]]:
        return [
            [value(random.uniform(-1, 1)) for _ in range(inputs + 1)]  # the last one is the bias
            for _ in range(outputs)
        ]

    def apply(neurons: list[list[Any]], inputs: list[Any]) -> list[Any]:
        return [
            sum((w * x for w, x in zip(weights, inputs, strict=True)), bias)
            for *weights, bias in neurons
        ]

    first, second, last = layer(2, 16), layer(16, 16), layer(16, 1)
    samples = [
        ([random.gauss(side, 1), random.gauss(0, 1)], side) for side in (-1, 1) for _ in range(50)
    ]
    parameters = [weight for net in (first, second, last) for row in net for weight in row]

    def run() -> float:
        losses = []
        for point, side in samples:
            hidden = [h.relu() for h in apply(first, point)]
            hidden = [h.relu() for h in apply(second, hidden)]
            (score,) = apply(last, hidden)
            losses.append((1 + -side * score).relu())
        loss = sum(losses) * (1.0 / len(losses)) + 1e-4 * sum(p * p for p in parameters)
        for parameter in parameters:
            parameter.grad = 0.0
        loss.backward()
        return loss.data

    return run


WORKLOADS = {"neuron": (neuron, 201), "demo step": (demo_step, 7)}
"""Name: (workload, rounds)."""


def seconds(run: Workload) -> float:
    """Return how long one run takes, without the garbage that the run before has left."""
    gc.collect()
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def medians(make: Callable[[Any], Workload], values: dict[str, Any], rounds: int) -> list[float]:
    """Return the median time of every engine, in the order of `values`."""
    runs = [make(value) for value in values.values()]
    results = {round(run(), 9) for run in runs}  # also the warm-up
    if len(results) > 1:
        raise AssertionError(f"the engines disagree: {sorted(results)}")
    times = [[seconds(run) for run in runs] for _ in range(rounds)]
    return [statistics.median(column) for column in zip(*times, strict=True)]


def main() -> None:
    """Print one row per workload: milliseconds per engine, and the others' over ours."""
    values = {
        name: importlib.import_module(module).Value
        for name, module in ENGINES.items()
        if importlib.util.find_spec(module.partition(".")[0])
    }
    print(f"{'':12}" + "".join(f"{name + ' ms':>15}{'ratio':>8}" for name in values))
    for workload, (make, rounds) in WORKLOADS.items():
        ours, *_ = times = medians(make, values, rounds)
        print(f"{workload:12}" + "".join(f"{t * 1e3:15.3f}{t / ours:8.2f}" for t in times))


if __name__ == "__main__":
    main()
