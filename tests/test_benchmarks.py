"""`make bench` runs; what it measures is nobody's to assert."""

import subprocess
import sys
from pathlib import Path

RUN = Path(__file__).parents[1] / "benchmarks" / "run.py"


def bench(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, RUN, *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_part_of_it():
    done = bench("--only", "neuron", "--scale", "0.1")
    assert done.stderr == ""
    head, row = (line for line in done.stdout.splitlines() if line.startswith(("|  |", "| neuron")))
    assert head.startswith("|  | glassgrad |")
    assert row.split("|")[2].strip().endswith("s")  # a time, not a failure


def test_a_part_that_does_not_exist():
    done = bench("--only", "neurons")
    assert done.returncode == 2
    assert "there is no neurons to measure" in done.stderr
