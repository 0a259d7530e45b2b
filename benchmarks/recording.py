"""What recording costs: a cell under ``%%autograd`` beside the same cell alone.

``python benchmarks/recording.py`` runs both in one shell, in turns, and prints the ratio of their
medians. Only running is measured: reading the graph and drawing it come on top, once.
"""

import gc
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

from IPython.core.interactiveshell import InteractiveShell

from glassgrad.notebook.cell import Request, run_at_once
from glassgrad.notebook.twins import is_readable

OPERATIONS = 10_000
SETUP = "from glassgrad import Value\na, b = Value(1.0001), Value(0.001)"
LOOP = f"x = a\nfor _ in range({OPERATIONS // 2}):\n    "
CELLS = {
    "loop": LOOP + "x = x * a + b",
    "function": "def f(x):\n    return x * a + b\n" + LOOP + "x = f(x)",
    "comprehension": f"parts = [a * i for i in range({OPERATIONS})]",
    "lines": "x = a\n" + "x = x * a + b\n" * (OPERATIONS // 2),
}
"""Cells of 10,000 operations."""


def seconds(function: Callable[[], object]) -> float:
    """Return the processor time of a call."""
    gc.collect()
    start = time.process_time()
    function()
    return time.process_time() - start


def recorded(ip: InteractiveShell, cell: str) -> None:
    """Run a cell under the recorder."""
    outcome = run_at_once(ip, Request(cell, is_readable))
    outcome.recorder.close()
    if outcome.error is not None:
        raise outcome.error


def medians(rounds: int = 9) -> Iterator[tuple[str, float, float]]:
    """Give the name of each cell, and its median seconds bare and recorded."""
    ip = InteractiveShell.instance()
    ip.run_cell(SETUP)
    for name, cell in CELLS.items():
        bare, heard = partial(ip.run_cell, cell), partial(recorded, ip, cell)
        pairs = [(seconds(bare), seconds(heard)) for _ in range(rounds)]
        yield name, *map(statistics.median, zip(*pairs, strict=True))


def main() -> None:
    """Print one line per cell."""
    for name, alone, heard in medians():
        print(
            f"{name:>14}  {alone * 1e3:6.1f} ms  {heard * 1e3:6.1f} ms  {heard / alone:4.1f} times"
        )


if __name__ == "__main__":
    main()
