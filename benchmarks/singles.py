"""What is measured outside the workers: the time of an import, and reading somebody's graph."""

import gc
import importlib.util
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import workloads


def import_seconds(rounds: int = 15) -> float:
    """Return how much longer Python takes to start when it imports glassgrad."""

    def seconds(program: str) -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", program], check=True)
        return time.perf_counter() - start

    pairs = [(seconds("import glassgrad"), seconds("pass")) for _ in range(rounds)]
    return statistics.median(ours for ours, _ in pairs) - statistics.median(
        bare for _, bare in pairs
    )


def reading(rounds: int = 5) -> dict[str, float] | None:
    """Return the seconds of ``gg.graph`` on micrograd's demo loss and of its own ``backward()``.

    Also those of a graph that is looked at, so that everything is derived.  None where micrograd
    is not installed.
    """
    if importlib.util.find_spec("micrograd") is None:
        return None
    from peers import Micrograd

    import glassgrad as gg

    engine, work = Micrograd(), workloads.demo()
    loss = work.expression(engine, engine.begin(work))
    works: dict[str, Callable[[], object]] = {
        "gg.graph": lambda: gg.graph(loss, names={}),
        "looked at": lambda: gg.graph(loss, names={}).node_columns,
        "backward()": loss.backward,
    }
    times = [[_seconds(function) for function in works.values()] for _ in range(rounds)]
    return dict(zip(works, map(statistics.median, zip(*times, strict=True)), strict=True))


def _seconds(function: Callable[[], object]) -> float:
    gc.collect()
    start = time.process_time()
    made = function()
    seconds = time.process_time() - start
    del made  # what takes it apart is not measured
    return seconds
