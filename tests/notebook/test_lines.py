"""What stands beside which line: loops, functions, comprehensions."""

from pathlib import Path

from glassgrad.notebook.listing import MOST_VALUES


def test_a_loop_marks_its_line_once_for_each_iteration(run):
    ran = run("%%autograd\nx = Value(2.0)\nfor i in range(3):\n    x = x * x\n")
    assert ran.code["marks"] == [
        {"line": 2, "nodes": [0]},
        {"line": 4, "nodes": [1, 2, 3], "runs": [[1], [2], [3]]},
    ]


def test_what_a_function_computes_belongs_to_the_line_that_calls_it(run):
    ran = run("%%autograd\ndef f(x):\n    return (x + 1) * x\na = Value(2.0)\n\ny = f(a)\n")
    assert {line for line, _ in ran.places.values()} == {4, 6}
    assert ran.places["a"][0] == 4


def test_what_was_there_before_belongs_to_no_line(run):
    run("a = Value(2.0)\nb = a * 3")
    ran = run("%%autograd\nc = b * a")
    assert {label for label, (line, _) in ran.places.items() if line is None} == {"a", "3", "b"}
    assert ran.places["c"] == (2, "b * a")


def test_a_functions_own_lines_are_shown_beside_the_line_that_calls_it(run):
    ran = run(
        "%%autograd\ndef f(x):\n    h = x + 1\n    return h * x\n\n"
        "a = Value(2.0)\ny = f(a)\nz = f(y)"
    )
    named = ran.named(ran.code)
    assert named[3] == [["h"], ["h"]]
    assert named[4] == [["y"], ["z"]]
    assert named[7] == [["1", "h", "y"]]
    assert {line for line, _ in ran.places.values()} == {6, 7, 8}


def test_comprehensions_and_generators_have_runs(run):
    ran = run(
        "%%autograd\nw = [Value(1.0), Value(2.0)]\n"
        "def squares(values):\n    for v in values:\n        yield v * v\n"
        "parts = [v * 3 for v in w]\ntotal = sum(squares(parts), Value(0.0))"
    )
    marks = {mark["line"]: mark for mark in ran.code["marks"]}
    assert len(marks[6]["runs"]) == 2
    assert len(marks[5]["runs"]) == 2
    assert "runs" not in marks[7]


def test_two_names_of_one_statement_are_one_run_of_it(run):
    run("def two(x):\n    return x * 2, x * 3")
    ran = run(
        "%%autograd\na, b = two(Value(1.0))\nfor p, q in [(a, b)]:\n    r = p * q\nc = r * (a + b)"
    )
    named = ran.named(ran.code)
    assert named[2] == [["Value(1.0)", "2", "a", "3", "b"]]


LAYER = """
class Neuron:
    def __init__(self, count):
        self.w = [Value(i + 1.0) for i in range(count)]
        self.b = Value(0.5)
    def __call__(self, x):
        return sum((w * v for w, v in zip(self.w, x)), self.b)
class Layer:
    def __init__(self, inputs, outputs):
        self.neurons = [Neuron(inputs) for _ in range(outputs)]
    def __call__(self, x):
        return [neuron(x) for neuron in self.neurons]
"""
"""As a learner writes it; it ends in the line before the one that a test adds."""


def leaves(ran, line):
    """The numbers of the leaves beside a line."""
    (widget,) = ran.widgets
    marks = [mark for mark in ran.code["marks"] if mark["line"] == line]
    kinds = ran.graph["nodes"]["kind"]
    return [
        [widget.numbers["data"][node] for node in run if kinds[node] in ("leaf", "parameter")]
        for mark in marks
        for run in mark.get("runs", [mark["nodes"]])
    ]


def test_leaves_of_a_constructor_belong_to_the_line_that_calls_it(run):
    run("%%autograd --no-backward" + LAYER)
    ran = run("%%autograd\nmodel = Layer(2, 1)\ny, = model([Value(3.0), Value(4.0)])\ny * 1")
    assert [sorted(run) for run in leaves(ran, 2)] == [[0.5, 1.0, 2.0]]
    assert [sorted(run) for run in leaves(ran, 3)] == [[3.0, 4.0]]
    lines = {block["title"]: ran.named(block) for block in ran.code["called"]}
    assert len(lines["Neuron.__init__, cell 2"][4]) == 2


def test_a_leaf_that_a_function_makes_belongs_to_the_line_that_calls_it_each_time(run):
    ran = run(
        "%%autograd\ndef make():\n    return Value(2.0)\ndef squared():\n    v = make()\n"
        "    return v * v\na = make()\nfor _ in range(2):\n    a = a * squared()"
    )
    assert leaves(ran, 7) == [[2.0]]
    assert leaves(ran, 9) == [[2.0], [2.0]]
    assert None not in ran.graph["nodes"]["line"]


def test_what_a_call_leaves_in_an_object_belongs_to_that_call(run):
    run("%%autograd --no-backward\ndef keep(box, x):\n    box['h'] = x * Value(2.0)")
    ran = run("%%autograd\nbox, a = {}, Value(3.0)\nkeep(box, a)\n\nc = box['h'] + a")
    assert leaves(ran, 3) == [[2.0]]
    assert sorted(set(ran.graph["nodes"]["line"])) == [2, 3, 5]


def test_leaves_of_a_library_stand_beside_the_line_that_names_what_holds_them(run):
    ran = run(
        "%%autograd\nfrom glassgrad import nn\n\nmodel = nn.MLP(2, [3, 1])\n"
        "y = model([1.0, 2.0])\ny * 1"
    )
    assert [len(run) for run in leaves(ran, 4)] == [13]
    assert leaves(ran, 5) == [[1.0, 2.0]]


def test_leaves_of_a_library_that_nothing_holds_belong_to_the_line_that_calls_it(run):
    ran = run(
        "%%autograd\nfrom glassgrad import nn\n\ny = nn.MLP(2, [3, 1])([1.0, 2.0])\nz = y * y"
    )
    assert [len(run) for run in leaves(ran, 4)] == [15]
    assert None not in ran.graph["nodes"]["line"]


def test_old_leaves_in_functions_classes_and_modules_belong_to_no_line(run):
    import sys
    import types

    sys.modules["weights"] = types.ModuleType("weights")
    run(
        "import weights\nweights.w = Value(2.0)\nclass Config:\n    k = Value(3.0)\n"
        "def make(b):\n    return lambda x: x + b\nshift = make(Value(4.0))"
    )
    ran = run("%%autograd\ny = shift(weights.w * Config.k)")
    del sys.modules["weights"]
    kinds, lines = ran.graph["nodes"]["kind"], ran.graph["nodes"]["line"]
    assert [line for kind, line in zip(kinds, lines, strict=True) if kind == "leaf"] == [None] * 3


def test_leaves_of_an_earlier_cell_belong_to_no_line_of_this_one(run):
    run("%%autograd --no-backward" + LAYER)
    run("model = Layer(2, 1)\nlosses = [Value(1.0) * 2]")
    ran = run(
        "%%autograd\nweights = [w for n in model.neurons for w in n.w]\nfirst = weights[0]\n"
        "y = first * weights[1] + losses[0]"
    )
    places = zip(ran.graph["nodes"]["kind"], ran.graph["nodes"]["line"], strict=True)
    assert {line for kind, line in places if kind in ("leaf", "parameter")} == {None}
    assert ran.places["losses[0]"] == (None, "losses[0]")


def test_many_leaves_beside_a_line_stay_readable_as_text(run):
    run("%%autograd --no-backward" + LAYER)
    (text,) = run("%%autograd --text\nmodel = Layer(40, 1)\ny, = model([1.0] * 40)\ny * 1").texts
    assert "… and 35 more" in text.split("2 ", 1)[1].split("\n3 ")[0]


def test_the_result_of_a_line_is_listed_however_much_comes_before_it(run):
    lines = "%%autograd --text\nx = Value(0.5)\nlong = " + " + ".join(["x * x"] * 9) + "\nlong * x"
    (text,) = run(lines).texts
    shown = [line.split() for line in text.split("\n3 ")[1].split("\n4 ")[0].splitlines()]
    assert len(shown) == MOST_VALUES + 1
    assert shown[-2] == ["…", "and", "11", "more"]
    assert shown[-1][:3] == ["long", "data", "2.25"]


def test_as_many_values_are_listed_in_text_as_beside_the_picture():
    gutter = Path(__file__).parents[2] / "js" / "panels" / "gutter.ts"
    assert f"MOST_VALUES = {MOST_VALUES};" in gutter.read_text()


def test_what_stands_in_a_class_belongs_to_its_line_there(run, ip):
    ran = run(
        "%%autograd\nclass Config:\n    'About.'\n    k, other = Value(3.0), 1\n"
        "    class Inner:\n        w: Value = Value(2.0) * 2\n        w += 1\n"
        "    for i in range(2):\n        k = k * i\n"
        "y = Config.k * Config.Inner.w"
    )
    assert leaves(ran, 4) == [[3.0]]
    assert leaves(ran, 6) == [[2.0]]
    assert ran.named(ran.code)[9] == [["0", "k * i"], ["1", "k * i"]]
    assert (ran.graph["title"], ip.user_ns["Config"].__doc__) == ("y", "About.")
    assert "k" not in ip.user_ns
