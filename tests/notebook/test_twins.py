"""A cell under the magic behaves as the same cell alone, in a real kernel."""

import pytest

from .conftest import comparable

CELLS = {
    "print": "print('out')\nimport sys\nprint('err', file=sys.stderr)",
    "value": "a, b = Value(2.0), Value(-3.0)\nc = a * b + a",
    "last expression": "a = 3\na * 2",
    "semicolon": "a = 3\na * 2;",
    "semicolon and comment": "a = 3\na * 2;  # quiet",
    "none": "a = 3\nNone",
    "assignments": "a = b = 1; c: int = 2; [d, *e] = 1, 2, 3; (f := 4); c += a",
    "loops": "t = 0\nfor i in range(3):\n    t += i\nelse:\n    t *= 2\nwhile t > 1: t -= 1\nt",
    "comprehensions": "[x * y for x in range(2) for y in (1, 2) if x], {k: -k for k in (1, 2)}",
    "generator": "def g():\n    yield from (1, 2)\nsum(g()) + sum(x for x in g())",
    "decorator and class": "import functools\n@functools.cache\ndef f(x):\n    return x\n"
    "class A:\n    y = f(2)\n    def m(self):\n        return self.y\nA().m()",
    "match": "match {'a': 1}:\n    case {'a': x} if x + 0:\n        r = -x\nr",
    "with and try": "import io\nwith io.StringIO() as s:\n    s.write('x')\ntry:\n    1 / 0\n"
    "except ZeroDivisionError:\n    r = 'caught'\nfinally:\n    q = 1\nr",
    "f-string": "x = 2\nf'{x * 3:>{x + 2}} {x!r}'",
    "docstring": "'''about'''\nx = 1",
    "annotations": "from __future__ import annotations\ndef f(x: nowhere): pass\nf.__annotations__",
    "global and del": "def f():\n    global z\n    z = 1\nf()\nw = 2\ndel w\nz",
    "unicode and tabs": "π = 3\nif π:\n\tπ = π * \\\n\t\t2\n'ü', π",
    "display": "display('one')\ndisplay({'text/plain': 'two'}, raw=True)\n'three'",
    "shell": "!echo hi\nx = !echo there\nx",
    "magic inside": "%env GLASSGRAD_TEST=1\nimport os\nos.environ.pop('GLASSGRAD_TEST')",
    "indented": "    x = 1\n    x + 1",
    "only a comment": "# nothing",
    "underscore": "1 + 1\n_ = 5\n_ + 1",
    "error": "x = 1\nmissing + x",
    "error in a function": "def f(x):\n    return x / 0\n\ny = f(1)\nz = 2",
    "error on a long line": "x = (1 +\n     len(3))",
    "error in a library": "import json\njson.loads('{')",
    "chained errors": "try:\n    1 / 0\nexcept Exception as e:\n    raise KeyError(1) from e",
    "error in a lambda": "f = lambda x: 1 / x\nf(0)",
    "error of ours": "x = Value('2')",
    "syntax error": "x = 1\ny = x *",
    "syntax error later": "x = 1\nprint('a')\nif x\n    y = 1",
    "indentation error": "x = 1\n  y = 2",
    "return outside": "x = 1\nreturn x",
    "syntax error at run time": "x = 1\nexec('1 +')",
    "import of nothing": "import nowhere_at_all",
    "interrupt": "x = 1\nraise KeyboardInterrupt",
    "exit": "import sys\nx = 1\nsys.exit(3)",
    "exception group": "raise ExceptionGroup('two', [ValueError(1), KeyError(2)])",
    "assertion": "x = 1\nassert x == 2, 'no'",
    "own exception": "class E(Exception):\n    def __str__(self):\n        return 'mine'\nraise E",
    "unknown magic": "x = 1\n%nothing_of_this_name",
}


@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS.keys())
def test_same_behaviour(twins, cell):
    both = twins(cell, line="%%autograd --no-backward")
    bare, magic = both.bare, both.magic
    assert magic.status == bare.status
    assert [comparable(part, 1) for part in magic.error] == [*map(comparable, bare.error)]
    assert [comparable(part, 1) for part in magic.traceback] == [*map(comparable, bare.traceback)]
    assert (magic.stdout, magic.result) == (bare.stdout, bare.result)
    assert comparable(magic.stderr, 1) == comparable(bare.stderr)
    assert [data for data in magic.shown if not is_sentence_of_ours(data)] == bare.shown
    assert both.magic_state == both.bare_state


def is_sentence_of_ours(data):
    return data["text/plain"].startswith("This cell made no Value")


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
