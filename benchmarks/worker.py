"""One engine in a process of its own, with its own heap and collector; it answers on request.

A request is a line of JSON, {"work": name of a function below, ...its arguments}; the answer is
one too: {"seconds": ..., ...} or {"failed": sentence}.  Seconds are those that the process had the
processor: how long it waited for its turn on a busy machine says nothing about the engine.
"""

import gc
import json
import os
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

import workloads
from peers import PEERS, Peer
from replays import REPLAYS, Replay

Answer = dict[str, float]


def run(engine: Peer, workload: str, size: int | None = None, repeat: int = 1) -> Answer:
    """Build, differentiate and free a workload `repeat` times; give the mean of that."""
    work = getattr(workloads, workload)(*([size] if size else []))
    gc.collect()
    start = time.process_time()
    for _ in range(repeat):
        leaves = engine.run(work)
    seconds = (time.process_time() - start) / repeat
    return {"seconds": seconds, "error": error(map(engine.gradient, leaves), work.gradient)}


def step(
    engine: Peer,
    collector: bool = True,
    alive: bool = False,
    operators: bool = False,
    repeat: int = 4,
) -> Answer:
    """Train the demo; give the median step after the first, which has to ask for memory.

    The collector is on or off; a second graph of the demo is alive meanwhile, or not; neurons are
    built from operators alone, or as the engine's own are.
    """
    work = workloads.demo(operators)
    parameters = engine.begin(work)
    kept = work.expression(engine, engine.begin(work)) if alive else None
    gc.collect()
    times = []
    try:
        (gc.enable if collector else gc.disable)()
        for _ in range(repeat):
            start = time.process_time()
            parameters = engine.step(work, parameters)
            times.append(time.process_time() - start)
    finally:
        gc.enable()
        del kept
    slopes = map(engine.gradient, engine.run(work))
    return {"seconds": statistics.median(times[1:]), "error": error(slopes, work.gradient)}


def memory(engine: Peer) -> Answer:
    """Give the bytes that the graph of the demo's loss takes, per node of micrograd's."""
    work = workloads.demo()
    parameters = engine.begin(work)
    gc.collect()
    tracemalloc.start()
    kept = work.expression(engine, parameters)
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return {"bytes": used / workloads.DEMO_NODES}


def replay(engine: Replay, repeat: int = 200) -> Answer:
    """Record the demo's step, then replay it, update included, from the start of training."""
    work = workloads.demo()
    if engine.preparation is None:  # once in a process: a second time might find things prepared
        gc.collect()
        start = time.process_time()
        engine.prepare(work)
        engine.preparation = time.process_time() - start

    engine.reset(work.inputs)
    engine.step()
    slopes = [(a - b) / workloads.RATE for a, b in zip(work.inputs, engine.numbers(), strict=True)]
    start = time.process_time()
    for _ in range(repeat):
        engine.step()
    seconds = (time.process_time() - start) / repeat
    return {
        "preparation": engine.preparation,
        "seconds": seconds,
        "error": error(slopes, work.gradient),
    }


def error(found: Any, expected: list[float]) -> float:
    """Return the largest difference, relative where a gradient is above 1."""
    return max(abs(float(f) - e) / max(1.0, abs(e)) for f, e in zip(found, expected, strict=True))


WORK: dict[str, Callable[..., Answer]] = {
    function.__name__: function for function in (run, step, memory, replay)
}


def started(name: str) -> Peer | Replay:
    """Import an engine; what that leaves behind in memory is not the engine's work."""
    engine = {**PEERS, **REPLAYS}[name]()
    gc.collect()
    gc.freeze()
    return engine


def main(name: str) -> None:
    """Answer requests until there are no more."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what an engine prints is no answer
    engine: Any = None
    for request in sys.stdin:
        arguments = json.loads(request)
        try:
            engine = engine or started(name)
            answer: dict[str, Any] = WORK[arguments.pop("work")](engine, **arguments)
        except Exception as problem:
            answer = {"failed": f"{type(problem).__name__}: {problem}"[:200]}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
