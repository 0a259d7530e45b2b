"""The magic, held against what other cell magics got wrong: see ``tests/data/cases.json``."""

import gc
import weakref
from pathlib import Path

import pytest
from cases import CASES
from IPython.core.error import UsageError
from IPython.display import display
from ipywidgets.widgets.widget import Widget

from glassgrad.notebook.display import load, unload

DOCS = Path(__file__).parents[2] / "docs"


def cell(case_id):
    return "\n".join(CASES[case_id]["code"])


def test_c095_a_traceback_points_at_the_line_that_the_user_sees(run):
    ran = run(cell("c095"))
    assert isinstance(ran.result.error_in_exec, NameError)
    assert "----> 3 b = undefined_name" in ran.stdout
    assert "1 %%autograd" in ran.stdout
    assert "glassgrad" not in ran.stdout


def test_c096_the_documents_say_where_the_magic_belongs(run, ip):
    ran = run(cell("c096"))
    assert isinstance(ran.result.error_in_exec, UsageError)
    assert "y" not in ip.user_ns
    assert "first line of a cell" in (DOCS / "magic.md").read_text()
    assert "first line" in " ".join(ip.find_cell_magic("autograd").__doc__.split())


def test_c098_other_magics_run_in_the_cell(twins):
    # in a kernel: a process that imported JAX may not fork
    magic = twins(cell("c098").split("\n", 1)[1], setup="a, b = Value(2.0), Value(-3.0)").magic
    assert "Wall time" in magic.stdout
    assert "hi" in magic.stdout
    assert magic.panels[0]["text/plain"].split()[0] == "y"


def test_c099_loading_twice_changes_nothing_and_unloading_removes_everything(run, ip):
    for line in CASES["c099"]["code"]:
        run(line)
    load(ip)
    assert len(run("%%autograd\na = Value(2.0)\nb = a * a").widgets) == 1
    unload(ip)
    assert ip.find_cell_magic("autograd") is None


def test_c101_nothing_of_ours_keeps_what_was_displayed(run, ip):
    ip.user_ns["display"] = display
    run("%%autograd\na = Value(2.0)\nroot = a * a")
    run(cell("c101"))
    gone = weakref.ref(ip.user_ns["root"])
    run("del root, a")
    run("%reset -f out")
    ip.last_execution_result = None
    gc.collect()
    assert gone() is None
    Widget.close_all()


@pytest.mark.parametrize("case", [c for c in CASES.values() if c["kind"] == "magic"])
def test_every_case_of_the_magic_has_a_test(case):
    assert any(name.startswith(f"test_{case['id']}_") for name in globals())
