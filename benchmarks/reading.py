"""How long gg.graph takes for graphs of micrograd's, beside micrograd's own backward().

Both work on the same values in one process, in turns; the medians of the processor's time and their
ratios are printed.  The second figure is that of a graph that is looked at: with everything that
follows from what was read.  ``python benchmarks/reading.py --rounds 9`` takes half a minute.
"""

import argparse
import random
import sys
from statistics import median
from time import process_time

from micrograd.engine import Value
from micrograd.nn import MLP

import glassgrad as gg

SAMPLES = (25, 100, 400)


def demo(samples: int) -> Value:
    """Return the loss of micrograd's demo: so many points, layers of 16, 16 and 1, a hinge loss."""
    chance = random.Random(1337)
    model = MLP(2, [16, 16, 1])
    points = [[Value(chance.gauss(0, 1)), Value(chance.gauss(0, 1))] for _ in range(samples)]
    signs = [chance.choice((-1, 1)) for _ in range(samples)]
    losses = [(1 - sign * model(point)).relu() for sign, point in zip(signs, points, strict=True)]
    return sum(losses) * (1.0 / samples) + 1e-4 * sum(p * p for p in model.parameters())


def measured(loss: Value, rounds: int) -> str:
    """Measure one loss; return a line."""
    walking, reading, looking, size, uses = [], [], [], 0, 0
    for _ in range(rounds):
        begun = process_time()
        loss.backward()
        walked = process_time()
        graph = gg.graph(loss, {})
        read = process_time()
        uses = len(graph.edge_columns.slope)  # which derives all of it
        looking.append(process_time() - walked)
        reading.append(read - walked)
        walking.append(walked - begun)
        size = len(graph)
        del graph  # not while the next one is measured
    backward, alone, looked = map(median, (walking, reading, looking))
    return (
        f"{size:,} values, {uses:,} edges: micrograd's backward() {backward * 1e3:.0f} ms, "
        f"gg.graph {alone * 1e3:.0f} ms, {alone / backward:.2f} times as long; "
        f"looked at {looked * 1e3:.0f} ms, {looked / backward:.1f} times"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    sys.setrecursionlimit(10_000)  # micrograd recurses
    for samples in SAMPLES:
        print(measured(demo(samples), rounds), flush=True)


if __name__ == "__main__":
    main()
