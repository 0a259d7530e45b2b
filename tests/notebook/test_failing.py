"""A cell that fails under the magic: the traceback is its own, the picture what there was."""

import sys

import pytest


def test_an_error_shows_what_was_computed_so_far(run, ip):
    ran = run("%%autograd\na = Value(2.0)\nb = a * 3\nmissing + b\nc = b * 2")
    assert isinstance(ran.result.error_in_exec, NameError)
    assert "----> 4 missing + b" in ran.stdout
    assert "glassgrad" not in ran.stdout
    assert "skipping" not in ran.stdout
    (widget,) = ran.widgets
    assert widget.graph["title"] == "b"
    assert widget.graph["code"]["failed"] == 4
    assert not widget.numbers["ran"]
    assert "showtraceback" not in vars(ip)
    assert vars(ran.result.error_in_exec) == {}


def test_what_a_function_computed_before_it_failed_is_drawn(run):
    ran = run(
        "%%autograd\ndef bad(x):\n    h = x * 2\n    return h.nothing\n"
        "a = Value(3.0)\nb = a * a\nc = bad(b)"
    )
    assert ran.labels == ["a", "b", "2", "h"]
    named = ran.named(ran.code)
    assert (named[3], named[7]) == ([["h"]], [["2", "h"]])
    assert ran.code["failed"] == 4


def test_what_has_nothing_to_do_with_the_last_result_is_not_drawn_instead_of_it(run):
    ran = run("%%autograd\na, w = Value(3.0), Value(1.0)\nb = a * a\n(w * 2).nothing")
    assert ran.labels[-1] == "b"


def test_an_error_before_any_value_shows_only_the_error(run):
    ran = run("%%autograd\nx = 1\nmissing")
    assert (ran.widgets, ran.texts) == ([], [])


def test_an_error_that_the_caller_catches_leaves_nothing_behind(run, ip):
    run(
        "try:\n    get_ipython().run_cell_magic('autograd', '', '1 / 0')\n"
        "except ZeroDivisionError:\n    pass"
    )
    ran = run("later")
    assert "NameError" in ran.stdout
    assert "showtraceback" not in vars(ip)


@pytest.mark.parametrize("cell", ["x = Value(1.0)\ny = x *", "if 1:\nx = 1", "x = 1\nreturn"])
def test_a_syntax_error_has_no_frames(run, cell):
    ran = run(f"%%autograd\n{cell}")
    assert not ran.result.success
    assert "Cell In[2], line 3" in ran.stdout
    assert "glassgrad" not in ran.stdout
    assert ran.widgets == []


def test_a_line_is_counted_as_the_user_sees_it(run):
    ran = run("%%autograd\n\n\nx = 1\nx / 0")
    assert "----> 5 x / 0" in ran.stdout


@pytest.mark.parametrize("line", ["--rot x", "loss", "--root", "--root 'x"])
def test_a_wrong_option_is_one_sentence(run, ip, line):
    with pytest.MonkeyPatch.context() as patch:
        shown = []
        patch.setattr(ip, "show_usage_error", lambda error: shown.append(str(error)))
        ran = run(f"%%autograd {line}\nx = 1")
    assert not ran.result.success
    (sentence,) = shown
    assert sentence.startswith("%%autograd: ")
    assert sentence.endswith("; %%autograd? lists the options.")
    assert "x" not in ip.user_ns


def test_a_user_of_a_debugger_sees_only_the_users_frames(run):
    run("%%autograd\ndef f(x):\n    return 1 / x\nf(0)")
    names = []
    frame = sys.last_traceback.tb_next
    while frame is not None:
        names.append(frame.tb_frame.f_code.co_name)
        frame = frame.tb_next
    assert names == ["<module>", "f"]


def test_the_magics_line_is_shown_as_it_was_typed(run):
    ran = run("%%autograd --no-backward\nx = 'typed'\nmissing")
    assert "1 %%autograd --no-backward\n      2 x = 'typed'\n----> 3 missing" in ran.stdout


def test_the_magic_belongs_on_the_first_line(run, ip):
    with pytest.MonkeyPatch.context() as patch:
        shown = []
        patch.setattr(ip, "show_usage_error", lambda error: shown.append(str(error)))
        ran = run("import math\n%%autograd\ny = 1")
    assert not ran.result.success
    assert "%%autograd" in shown[0]
    assert "first" in ip.find_cell_magic("autograd").__doc__
