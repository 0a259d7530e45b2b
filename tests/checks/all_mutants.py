"""The long run of `test_mutants`, over every mutant: ``python tests/checks/all_mutants.py``."""

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))

from mutants import is_right, mutants

from glassgrad.checks.grader import check


def main():
    counts = Counter()
    for mutant in [*mutants("set"), *mutants("tuple")]:
        cls = mutant.build()
        right, passed = is_right(cls), check(cls).passed
        verdict = ("wrong", "right")[right], ("found", "passed")[passed]
        counts[verdict] += 1
        if right != passed:
            print(*verdict, mutant.name)
    for (truth, verdict), count in sorted(counts.items()):
        print(f"{count:>6}  {truth} and {verdict}")


if __name__ == "__main__":
    main()
