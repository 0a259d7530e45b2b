"""How long gg.graph takes for a graph of micrograd's, beside micrograd's own backward().

Both work on the same 65,818 values in one process, in turns; the medians and their ratio are
printed.  ``python benchmarks/reading.py --rounds 9`` takes half a minute.
"""

import argparse
import random
import sys
from statistics import median
from time import perf_counter

from micrograd.engine import Value
from micrograd.nn import MLP

import glassgrad as gg

SAMPLES = 100


def demo() -> Value:
    """Return the loss of micrograd's demo: 100 points, layers of 16, 16 and 1, a hinge loss."""
    chance = random.Random(1337)
    model = MLP(2, [16, 16, 1])
    points = [[Value(chance.gauss(0, 1)), Value(chance.gauss(0, 1))] for _ in range(SAMPLES)]
    signs = [chance.choice((-1, 1)) for _ in range(SAMPLES)]
    losses = [(1 - sign * model(point)).relu() for sign, point in zip(signs, points, strict=True)]
    return sum(losses) * (1.0 / SAMPLES) + 1e-4 * sum(p * p for p in model.parameters())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    sys.setrecursionlimit(10_000)  # micrograd recurses
    loss, walking, reading, size = demo(), [], [], 0
    for _ in range(rounds):
        begun = perf_counter()
        loss.backward()
        walked = perf_counter()
        size = len(gg.graph(loss, {}))
        reading.append(perf_counter() - walked)
        walking.append(walked - begun)
    ratio = median(reading) / median(walking)
    print(f"{size:,} values: micrograd's backward() {median(walking) * 1e3:.0f} ms, ", end="")
    print(f"gg.graph {median(reading) * 1e3:.0f} ms, {ratio:.1f} times as long")


if __name__ == "__main__":
    main()
