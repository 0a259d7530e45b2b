"""The cases that learners' classes and tools like ours have got wrong, and programs to run them."""

import json
from pathlib import Path

CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))
}


def of_kind(*kinds):
    """Return the cases of some kinds that have a program and a number to hold it against."""
    return [case for case in CASES.values() if case["kind"] in kinds]


def run(case, cls, **more):
    """Run a case's program with a class of Value; return its names."""
    names = {"Value": cls, **more}
    exec("\n".join(case["code"]), names)
    return names


def number(item):
    """Return a number of a case: JSON has no infinity and no nan."""
    return float(item)
