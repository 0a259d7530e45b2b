"""An instrumented program computes what it computed before, and says where."""

import ast
import traceback

import pytest

from glassgrad.recording import Instrumenter, Recorder, Scope, Script, connect
from glassgrad.recording.syntax import has_await


class Number:
    """A learner's class, small."""

    def __init__(self, data):
        self.data = data

    def __add__(self, other):
        return Number(self.data + other.data)

    def __mul__(self, other):
        return Number(self.data * other.data)

    def __neg__(self):
        return Number(-self.data)

    def __call__(self, x):
        return self * x


def record(source, **names):
    """Run a program under a recorder; return the recorder and the program's variables."""
    instrumenter = Instrumenter()
    recorder = Recorder(
        source,
        instrumenter.sites,
        lambda value: isinstance(value, Number),
        scope=Scope(instrumenter.functions, Script(source.split("\n"))),
    )
    namespace = {"Number": Number, **names}
    for node in ast.parse(source).body:
        module = ast.Module(instrumenter.statement(node), [])
        exec(connect(compile(module, "cell", "exec"), recorder), namespace)
    return recorder, namespace


PROGRAMS = [
    "x = 1; y: int = 2; z = w = x + y; x += 3; (n := x * 2); a, *b = [1, 2, 3]",
    "t = []\nfor i in range(3):\n    t += [i]\nelse:\n    t.append('done')",
    "squares = {k: v ** 2 for k, v in zip('ab', (1, 2)) if v}\ng = list(x for x in (1, 2))",
    "class A:\n    x = 1\n    def f(self):\n        return super().__hash__() > 0\nr = A().f()",
    "def f(x, /, *a, k=1, **o):\n    return x + k\nr = f(1, 2, k=3, z=4) + f(*[1], **{'k': 2})",
    "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    r = str(e)\nfinally:\n    s = -1",
    "match [1, -2, 'x']:\n    case [1, -2 as m, str(s)] if m + 1 < 0: r = s * 2\n    case _: pass",
    "d = {}\nd['k'] = 1\nd['k'] += 1\nd['l'], o = 2, 3\ndel d['l']\nr = d['k'] if d else None",
    "x = 3\nr = f'{x + 1:>{x * 2}} {x!r:>4}'\nf = lambda y: -y + x\ns = f(2)",
    "from contextlib import nullcontext as n\nwith n(3) as c, n([4, 5]) as (v, w):\n    r = v + c",
    "global q\nq = not 1 < 2 < 3\nassert not q, 'no'\nr = [*range(3), -1][1:-1]\nn = 2 ** 10 - 1",
    "π = 2\nn = π * \\\n    3\nt = (π +\n     n)",
    "i = 0\nwhile i < 3:\n    i += 1\n    if i == 2:\n        continue\nr = i",
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_program_computes_the_same(program):
    plain = {}
    exec(compile(program, "cell", "exec"), plain)
    _, recorded = record(program)
    hidden = {"Number", "__builtins__"}

    def comparable(namespace):
        return {
            name: value if not hasattr(value, "__dict__") else type(value).__name__
            for name, value in namespace.items()
            if name not in hidden
        }

    assert comparable(recorded) == comparable(plain)


def test_every_place_of_an_expression_is_known():
    recorder, names = record(
        "a, b = Number(2.0), Number(-3.0)\nc = a * b + a\nd = (\n    c +\n    a)\n"
    )
    origins = {name: recorder.origin(names[name]) for name in "abcd"}
    assert [(o.line, o.column, o.text, o.names) for o in origins.values()] == [
        (1, 7, "Number(2.0)", ("a",)),
        (1, 20, "Number(-3.0)", ("b",)),
        (2, 4, "a * b + a", ("c",)),
        (4, 4, "c + a", ("d",)),
    ]


def test_inner_expressions_are_heard_when_something_keeps_them():
    kept = []

    class Keeping(Number):
        def __add__(self, other):
            kept.extend([self, other])
            return Number(0)

        def __mul__(self, other):
            return Keeping(self.data * other.data)

    recorder, _ = record("c = a * b + -a", a=Keeping(1), b=Keeping(2))
    assert [recorder.origin(value).text for value in kept] == ["a * b", "-a"]


def test_a_reassigned_name_stays_with_its_first_value():
    recorder, names = record("a = Number(2)\nfirst = a\na = Number(10)\nx = y = a")
    assert recorder.origin(names["first"]).names == ("a", "first")
    assert recorder.origin(names["a"]).names == ("a", "x", "y")
    assert list(recorder.latest()) == ["first", "a", "x", "y"]


@pytest.mark.parametrize(
    ("program", "bound"),
    [
        ("a = b = n()", ["a", "b"]),
        ("a, (b, *c) = n(), [n(), 3]", ["a", "b"]),
        ("a = n()\na += n()", ["a"]),
        ("a: 'Number' = n()", ["a"]),
        ("(a := n())\n[b := n() for _ in 'x']", ["a", "b"]),
        ("for a in [n()]:\n    b = a", ["a", "b"]),
        ("import contextlib\nwith contextlib.nullcontext(n()) as a: pass", ["a"]),
        ("match 1:\n    case 1 if (a := n()):\n        b = n()", ["a", "b"]),
        ("if 1:\n    a = n()\nelse:\n    b = n()", ["a"]),
        ("a = n()\na = 3", []),
        ("class A:\n    a = n()\ndef f():\n    b = n()\nf()", []),
    ],
)
def test_every_form_of_assignment_is_heard(program, bound):
    recorder, _ = record(program, n=lambda: Number(1))
    assert list(recorder.latest()) == bound


def test_a_value_that_was_only_looked_up_has_a_text_and_no_line():
    recorder, names = record(
        "y = w[0] * box.inner", w=[Number(2)], box=type("", (), {"inner": Number(1)})
    )
    assert recorder.origin(names["w"][0]) == type(recorder.origin(names["y"]))(None, None, "w[0]")
    assert recorder.origin(names["box"].inner).text == "box.inner"
    assert recorder.origin(Number(5)) is None


def test_calls_of_a_driver_are_counted():
    class Driven(Number):
        def backward(self):
            pass

        backprop = backward

    recorder, _ = record(
        "v.backward()\nv.backprop()\nother.backward()",
        v=Driven(1),
        other=type("", (), {"backward": lambda self: None})(),
    )
    assert [(call.where, call.text, call.whole) for call in recorder.calls] == [
        ("line 1", "v.backward()", True),
        ("line 2", "v.backprop()", True),
    ]


def test_a_traceback_points_at_the_users_text():
    source = "x = 1\ny = (x +\n     len(missing) * 2)\n"
    with pytest.raises(NameError) as plain:
        exec(compile(source, "cell", "exec"), {})
    with pytest.raises(NameError) as recorded:
        record(source)

    def places(error):
        return [
            (f.lineno, f.colno, f.end_lineno, f.end_colno)
            for f in traceback.extract_tb(error.value.__traceback__)
            if f.filename == "cell"
        ]

    assert places(recorded) == places(plain)


def test_no_name_is_added_anywhere():
    import builtins

    before = set(vars(builtins))
    _, names = record("a = Number(1)\nb = sorted(globals())\nc = dir()")
    assert set(vars(builtins)) == before
    assert set(names) == {"Number", "a", "b", "c", "__builtins__"}
    assert names["b"] == ["Number", "__builtins__", "a"]


def test_waiting_is_found_only_at_the_top_level():
    def awaits(source):
        return has_await(ast.parse(source).body)

    assert awaits("x = [await f()]")
    assert awaits("if 1:\n    async with a: pass")
    assert awaits("[x async for x in y]")
    assert not awaits("async def f():\n    await g()\nf = lambda: 0")


def test_an_expression_of_hundreds_of_terms_is_left_alone():
    recorder, names = record("a = Number(1)\nb = " + " + ".join(["a"] * 800) + "\nc = b + a")
    assert names["c"].data == 801
    assert recorder.origin(names["b"]) is None
    assert recorder.origin(names["c"]).text == "b + a"
