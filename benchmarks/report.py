"""Measurements in, Markdown out."""

import platform
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any

Answers = Mapping[str, Mapping[str, Any]]  # by engine

OURS = "glassgrad"

_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def duration(seconds: float) -> str:
    """Return a time with three digits: ``"4.20 ms"``."""
    if not seconds:
        return "0"
    unit, name = next((u for u in _UNITS if seconds >= u[0]), _UNITS[-1])
    return f"{_three_digits(seconds / unit)} {name}"


def ratio(theirs: float, ours: float) -> str:
    """Return how many times as long theirs takes: ``"2.5 ×"``."""
    return f"{_two_digits(theirs / ours)} ×"


def _three_digits(number: float) -> str:
    return f"{number:.{max(0, 3 - len(str(int(number))))}f}"


def _two_digits(number: float) -> str:
    return f"{number:.0f}" if number >= 10 else f"{number:.2g}"


def cells(answers: Answers, engines: list[str]) -> list[str]:
    """Return one workload's result for each engine: its time, and that over ours."""
    ours = answers[OURS].get("seconds") or answers[OURS].get("bytes")
    return [_cell(answers.get(engine), ours) for engine in engines]


def _cell(answer: Mapping[str, Any] | None, ours: float | None) -> str:
    if answer is None:
        return "–"
    if "failed" in answer:
        return str(answer["failed"])
    if "bytes" in answer:
        shown, amount = f"{answer['bytes']:.0f} bytes", answer["bytes"]
    else:
        shown, amount = duration(answer["seconds"]), answer["seconds"]
    return shown if amount == ours or not ours else f"{shown} ({ratio(amount, ours)})"


def replay_table(answers: Answers) -> str:
    """Return a table with a row per way of replaying the demo's step."""
    lines = [["", "preparation", "one step"]]
    for engine, answer in answers.items():
        if "failed" in answer:
            lines.append([engine, answer["failed"], "–"])
        else:
            lines.append([engine, duration(answer["preparation"]), duration(answer["seconds"])])
    return table(lines)


def table(lines: Iterable[list[str]]) -> str:
    """Return a Markdown table; the first line is its head.

    Examples
    --------
    >>> print(table([["", "a"], ["b", "1"]]))
    |  | a |
    |---|---|
    | b | 1 |
    """
    head, *body = [f"| {' | '.join(cells)} |" for cells in lines]
    rule = "|" + "---|" * (head.count("|") - 1)
    return "\n".join([head, rule, *body])


def machine(packages: Iterable[str]) -> str:
    """Return one sentence on what the numbers were measured with."""
    versions = ", ".join(f"{package} {version(package)}" for package in sorted(set(packages)))
    return f"Python {platform.python_version()} on {platform.system()}; {versions}."
