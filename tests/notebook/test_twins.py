"""A cell under the magic behaves as the same cell alone, in a real kernel."""

import pytest

from .cells import CALLED, CELLS, PREPARED
from .conftest import comparable
from .failing_cells import BELOW_A_LINE

LINE = "%%autograd --no-backward"


def test_there_are_enough_cells():
    assert len(CELLS) + len(PREPARED) >= 80


@pytest.mark.parametrize(
    "cell", [pytest.param(CELLS[name], id=name) for name in CELLS if name not in BELOW_A_LINE]
)
def test_same_behaviour(twins, cell):
    assert_same(twins(cell, line=LINE))


@pytest.mark.parametrize("name", sorted(BELOW_A_LINE))
def test_same_behaviour_below_a_comment(twins, name):
    both = twins(CELLS[name], line=LINE, instead="# above\n")
    bare = [comparable(part) for part in both.bare.traceback]
    assert bare == [comparable(part).replace(LINE, "# above") for part in both.magic.traceback]


@pytest.mark.parametrize(("setup", "cell"), PREPARED.values(), ids=PREPARED.keys())
def test_same_behaviour_in_a_prepared_session(twins, setup, cell):
    assert_same(twins(cell, setup, line=LINE))


@pytest.mark.parametrize(("earlier", "cell"), CALLED.values(), ids=CALLED.keys())
def test_same_behaviour_of_functions_of_an_earlier_recorded_cell(twins, earlier, cell):
    assert_same(twins(cell, line=LINE, earlier=earlier))


def test_lines_of_ipython_run_too(twins):
    magic = twins("a, b = Value(2.0), Value(-3.0)\n%time y = a*b\n!echo hi\n").magic
    assert "Wall time" in magic.stdout
    assert "hi" in magic.stdout
    assert magic.panels[0]["text/plain"].split()[0] == "y"
    text = twins("a = Value(2.0)\n%time y = a*a", line="%%autograd --text").magic.shown[0]
    assert "3  %time y = a*a    y" in text["text/plain"]


def assert_same(both):
    bare, magic = both.bare, both.magic
    assert magic.status == bare.status
    assert [comparable(part, 1) for part in magic.error] == [*map(comparable, bare.error)]
    assert [comparable(part, 1) for part in magic.traceback] == [*map(comparable, bare.traceback)]
    assert (magic.stdout, magic.result) == (bare.stdout, bare.result)
    assert comparable(magic.stderr, 1) == comparable(bare.stderr)
    assert [data for data in magic.shown if not is_sentence_of_ours(data)] == bare.shown
    assert both.magic_state == both.bare_state


def is_sentence_of_ours(data):
    return "so there is nothing to differentiate" in data["text/plain"]


def test_a_value_is_drawn_once_and_its_output_is_text(kernels, twins):
    both = twins("a, b = Value(2.0), Value(-3.0)\nc = a * b + a\nc")
    assert both.magic.result == "Value(data=-4.0, grad=1.0)"
    assert [panel["text/plain"].split()[0] for panel in both.magic.panels] == ["c"]
    assert "image/svg+xml" in both.magic.panels[0]
    assert both.magic_state["last"] == "Value(data=-4.0, grad=1.0)"
    _, magic = kernels
    assert "c = a * b + a" in magic.run("c").result


def test_a_failing_cell_draws_what_there_was_and_stops(twins):
    magic = twins("a = Value(2.0)\nb = a * 3\nmissing + b").magic
    assert magic.status == "error"
    assert magic.traceback[-1] == "NameError: name 'missing' is not defined"
    assert "----> 4 missing + b" in "".join(magic.traceback)
    assert "glassgrad" not in "".join(magic.traceback)
    assert len(magic.panels) == 1


def test_two_roots_are_a_question_and_the_output_stays(twins):
    magic = twins("a = Value(2.0)\nloss, acc = a * a, a + 1\n'kept'").magic
    assert (magic.status, magic.result, magic.panels) == ("ok", "'kept'", [])
    assert [data["text/plain"] for data in magic.shown] == [
        "loss and acc are both results of this cell. Say which one: %%autograd --root loss."
    ]
