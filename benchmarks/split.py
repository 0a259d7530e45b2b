"""Where the time of our own training step goes: `python benchmarks/split.py`.

The demo's step in its four parts, and of each part the share of the cyclic garbage collector, in
three situations.  Change the engine, run it again, compare.
"""

import gc
import statistics
import time
from collections.abc import Callable
from contextlib import nullcontext
from itertools import pairwise
from typing import Any

import report
import workloads
from peers import Glassgrad

from glassgrad.engine.memory import pause_gc

PARTS = ("forward", "backward", "update", "free")
ROUNDS = 15


class Collector:
    """Adds up the seconds that Python's cyclic collector takes."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._start = 0.0

    def __call__(self, phase: str, info: dict[str, int]) -> None:
        """Be told by `gc` that a collection starts or stops."""
        if phase == "start":
            self._start = time.process_time()
        else:
            self.seconds += time.process_time() - self._start


def parts(engine: Glassgrad, work: workloads.Workload, parameters: list[Any]) -> list[float]:
    """Train for one step; return the seconds of each of `PARTS`."""
    times = [time.process_time()]
    loss = work.expression(engine, parameters)
    times.append(time.process_time())
    for parameter in parameters:
        parameter.grad = 0.0
    loss.backward()
    times.append(time.process_time())
    for parameter in parameters:
        parameter.data -= workloads.RATE * parameter.grad
    times.append(time.process_time())
    del loss
    times.append(time.process_time())
    return [end - start for start, end in pairwise(times)]


def measure(paused: Callable[[], Any], alive: bool) -> list[str]:
    """Return the medians of the parts, their sum, and the collector's time per step."""
    engine, work = Glassgrad(), workloads.demo()
    parameters = engine.begin(work)
    kept = work.expression(engine, engine.begin(work)) if alive else None
    collector = Collector()
    gc.collect()
    gc.callbacks.append(collector)
    rows = []
    for _ in range(ROUNDS):
        with paused():
            rows.append(parts(engine, work, parameters))
    gc.callbacks.remove(collector)
    del kept
    medians = [statistics.median(column) for column in zip(*rows, strict=True)]
    total = statistics.median(map(sum, rows))
    return [report.duration(t) for t in (*medians, total, collector.seconds / ROUNDS)]


def main() -> None:
    """Print the table."""
    situations = {
        "as it is": (nullcontext, False),
        "another graph alive": (nullcontext, True),
        "with pause_gc()": (pause_gc, False),
        "with pause_gc(), another graph alive": (pause_gc, True),
    }
    lines = [["", *PARTS, "step", "of it the collector"]]
    lines += [[title, *measure(*situation)] for title, situation in situations.items()]
    print(report.table(lines))


if __name__ == "__main__":
    main()
