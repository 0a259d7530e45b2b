"""The long run of the random programs: ``make fuzz``, or ``python tests/engine/fuzz.py 100000``."""

import sys
from collections import Counter

from hypothesis import HealthCheck, Phase, given, settings
from random_programs import compare, programs

REACHED = ("value not finite or too large", "value", "gradients", "second derivatives")


def main(examples):
    reached = Counter()

    @given(programs(length=20))
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    def fuzz(program):
        reached[compare(*program)] += 1

    fuzz()
    print(f"{sum(reached.values())} programs agree with PyTorch, compared as far as:")
    for level, name in enumerate(REACHED):
        print(f"  {reached[level]:>7}  {name}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
