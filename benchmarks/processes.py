"""The workers as their parent sees them: started, asked in turn, found dead."""

import contextlib
import json
import random
import select
import statistics
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WORKER = Path(__file__).with_name("worker.py")
PATIENCE = 300  # seconds for one answer; a limit against hanging, not a measurement
TOLERANCE = 1e-9  # for gradients

Answer = dict[str, Any]


@dataclass
class Worker:
    """An engine's process."""

    engine: str
    process: subprocess.Popen[str] = field(init=False)

    def __post_init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, WORKER, self.engine],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def ask(self, **request: object) -> Answer:
        """Return the answer, ``{"failed": why}`` also when there is none."""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # the missing answer will tell
            print(json.dumps(request), file=self.process.stdin, flush=True)
        answer = self._answer()
        if answer.get("error", 0.0) > TOLERANCE:
            raise AssertionError(f"{self.engine} computes another gradient: {request}, {answer}")
        return answer

    def _answer(self) -> Answer:
        assert self.process.stdout is not None
        if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
            self.process.kill()
            self.process.wait()
            return {"failed": f"no answer in {PATIENCE} s"}
        line = self.process.stdout.readline()
        if not line:
            self.process.wait()
            return {"failed": "the interpreter crashes"}
        answer: Answer = json.loads(line)
        return answer

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()


def medians(engines: Iterable[str], rounds: int, **request: object) -> dict[str, Answer]:
    """Ask every engine the same, in a new order in each round; return the medians.

    Only one engine works at a time, and a busy moment of the machine falls on one round of each.
    An engine that has failed once is not asked again.
    """
    workers = {engine: Worker(engine) for engine in engines}
    answers: dict[str, list[Answer]] = {engine: [] for engine in workers}
    shuffled = random.Random(0)
    try:
        for _ in range(rounds):
            for engine in shuffled.sample(list(workers), len(workers)):
                if not any("failed" in answer for answer in answers[engine]):
                    answers[engine].append(workers[engine].ask(**request))
    finally:
        for worker in workers.values():
            worker.close()
    return {engine: _median(given) for engine, given in answers.items()}


def _median(answers: list[Answer]) -> Answer:
    failures = [answer for answer in answers if "failed" in answer]
    if failures:
        return failures[0]
    return {key: statistics.median(answer[key] for answer in answers) for key in answers[0]}
