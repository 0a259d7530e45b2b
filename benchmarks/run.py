"""Measures glassgrad beside its peers: `make bench`, or `python benchmarks/run.py --help`.

Every engine works in a process of its own and they take turns, so that a busy moment of the
machine falls on each of them; medians are reported.  Trust the ratios, not the times.
"""

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import report
import singles
from peers import PEERS, Peer
from processes import Answer, medians
from replays import REPLAYS, Replay

Results = dict[str, dict[str, Answer]]  # by title, then by engine

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"


@dataclass(frozen=True)
class Row:
    """A line of the table, and what is asked of the engines for it."""

    group: str
    title: str
    request: dict[str, Any]
    rounds: int = 5
    without: set[str] = field(default_factory=set)  # engines for which it would take minutes
    only: set[str] = field(default_factory=set)


def _chain(size: int, **options: Any) -> Row:
    request = {"work": "run", "workload": "chain", "size": size}
    return Row("chain", f"chain of {size:,}", request, **options)


def _wide(size: int) -> Row:
    request = {"work": "run", "workload": "wide", "size": size}
    return Row("wide", f"sum of {size:,} products", request, without={"autograd"})


ROWS = (
    Row("neuron", "neuron", {"work": "run", "workload": "neuron", "repeat": 1000}, rounds=9),
    Row("demo", "demo training step", {"work": "step"}, without={"autograd"}),
    Row(
        "demo",
        "the same, another graph of it alive",
        {"work": "step", "alive": True},
        without={"autograd", "xad"},  # on xad's tape two graphs are one
    ),
    Row(
        "demo",
        "the same, garbage collector off",
        {"work": "step", "collector": False},
        without={"autograd"},
    ),
    Row(
        "demo",
        "the same from operators alone",
        {"work": "step", "operators": True},
        without={"autograd"},
    ),
    Row(
        "demo",
        "the same from operators alone, garbage collector off",
        {"work": "step", "operators": True, "collector": False},
        without={"autograd"},
    ),
    _chain(1_000),
    _chain(10_000, without={"autograd"}),
    _chain(100_000, rounds=3, without={"autograd"}),
    _chain(1_000_000, rounds=3, only={"glassgrad"}),
    _wide(10_000),
    _wide(100_000),
    Row(
        "memory",
        "memory per node of the demo's loss",
        {"work": "memory"},
        rounds=1,
        only={"glassgrad", "micrograd"},
    ),
)
GROUPS = (*dict.fromkeys(row.group for row in ROWS), "replay", "single")

INTRODUCTION = """\
`make bench` measures this; `python benchmarks/run.py --write` writes it down. Every engine works in
a process of its own, one at a time, in turns; the numbers are medians. Trust the ratios, not the
times: the machine is a small one and shared. Times are processor time, so that waiting for
another program does not count."""

REPLAY = """\
Recorded once, then run for new parameters: loss, gradient and update. The last two rows record
nothing; they are the same step written for whole arrays."""

EXPLANATION = """\
- **neuron**: tanh(x1·w1 + x2·w2 + b), built, differentiated and freed.
- **demo training step**: micrograd's demo, MLP(2, [16, 16, 1]) on 100 moons with hinge loss and L2:
  forward, zero, backward, update; 65,818 nodes in micrograd. Each engine computes a neuron as its
  own networks do; ours keep a weighted sum as one node until somebody looks. From operators alone,
  every product and sum is a node. `gg.nn.fit` and `gg.pause_gc()` train
  with the garbage collector off; where it is on, full collections wait while Values are made
  (`gg.postpone_gc`).
- **chain of n**: n times `x = x * 1.0001 + 0.001`, built, differentiated and freed.
- **sum of n products**: of 2 n leaves.

Numbers in brackets are theirs over ours. micrograd runs with a raised recursion limit. The
gradients of every engine are compared with ones worked out by hand; a difference above 1e-9 stops
the run. An engine for which a workload takes minutes is not asked (–)."""


def installed(classes: Mapping[str, type[Peer] | type[Replay]]) -> tuple[list[str], list[str]]:
    """Return the engines that are installed, and a sentence on each that is not."""
    found, missing = [], []
    for engine, peer in classes.items():
        try:
            version(peer.package)
            found.append(engine)
        except PackageNotFoundError:
            missing.append(f"{engine} is left out: {peer.package} is not installed here.")
    return found, missing


def eager(engines: list[str], groups: set[str], scale: float) -> Results:
    """Measure the rows of the chosen groups; say each result as soon as it is known."""
    results = {}
    for row in ROWS:
        if row.group in groups:
            asked = [e for e in engines if e not in row.without and (not row.only or e in row.only)]
            answers = medians(asked, max(1, round(row.rounds * scale)), **row.request)
            said = zip(asked, report.cells(answers, asked), strict=True)
            print(f"{row.title}:", *(f"{engine} {cell};" for engine, cell in said), flush=True)
            results[row.title] = answers
    return results


def slowdown(results: Results) -> str:
    """Return a sentence on how the time per operation grows from short chains to long ones."""
    short, long = (results[_chain(n).title]["glassgrad"]["seconds"] / n for n in (10**4, 10**6))
    return (
        f"An operation in a chain of 1,000,000 takes {report.ratio(long, short)} the time of one "
        "in a chain of 10,000."
    )


def single_lines() -> str:
    """Measure what needs no worker and return a list of it."""
    lines = [f"- `import glassgrad` adds {report.duration(singles.import_seconds())} to Python."]
    times = singles.reading()
    if times:
        graph, looked, backward = times["gg.graph"], times["looked at"], times["backward()"]
        lines.append(
            f"- `gg.graph` reads micrograd's demo loss in {report.duration(graph)}, "
            f"{report.ratio(graph, backward)} the time of micrograd's own `backward()` on it. "
            "That takes down what the values hold; order, edges, slopes, names and findings are "
            "derived when the graph is first looked at. "
            f"Both together take {report.duration(looked)} ({report.ratio(looked, backward)})."
        )
    return "\n".join(lines)


def measure(groups: set[str], scale: float) -> Iterator[str]:
    """Measure the chosen groups; give the page, paragraph by paragraph."""
    engines, missing = installed(PEERS)
    recorders, missing_recorders = installed(REPLAYS)
    packages = {{**PEERS, **REPLAYS}[engine].package for engine in engines + recorders}
    yield f"Measured with {report.machine(packages)}"
    yield from missing + missing_recorders
    rows = eager(engines, groups, scale)
    if rows:
        body = [[title, *report.cells(answers, engines)] for title, answers in rows.items()]
        yield report.table([["", *engines], *body])
    if "chain" in groups:
        yield slowdown(rows)
    if "replay" in groups:
        yield f"## Replay of the demo step\n\n{REPLAY}"
        rounds = max(1, round(5 * scale))
        yield report.replay_table(medians(recorders, rounds, work="replay"))
    if "single" in groups:
        yield f"## Import and reading\n\n{single_lines()}"


def main() -> None:
    """Measure, print, and write the page if that is wanted."""
    parser = argparse.ArgumentParser(description="Measure glassgrad beside its peers.")
    parser.add_argument("--only", help=f"a comma between names of {', '.join(GROUPS)}")
    parser.add_argument(
        "--scale", type=float, default=1.0, help="more or fewer rounds (0.2: quick)"
    )
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    options = parser.parse_args()
    groups = set(options.only.split(",")) if options.only else set(GROUPS)
    if groups - set(GROUPS):
        parser.error(f"there is no {', '.join(groups - set(GROUPS))} to measure")
    if options.write and groups != set(GROUPS):
        parser.error("--write needs everything measured; leave --only out")

    paragraphs = ["# Benchmarks", INTRODUCTION, EXPLANATION]
    for paragraph in measure(groups, options.scale):
        print(f"{paragraph}\n", flush=True)
        paragraphs.append(paragraph)
    if options.write:
        PAGE.write_text("\n\n".join(paragraphs) + "\n")


if __name__ == "__main__":
    main()
