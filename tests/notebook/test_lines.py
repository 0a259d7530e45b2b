"""What stands beside which line: loops, functions, comprehensions."""


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
