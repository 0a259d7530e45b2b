"""The driver: ``backward()`` on small programs that tell one wrong order from another.

In flows an exam, in which ``+`` and ``*`` were tried already; onto its list go the problems with
the walk.  The programs are the smallest ones known to catch each slip of the table in
`glassgrad.checks.walks`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from glassgrad.checks import walks
from glassgrad.checks.exam import Exam, differing
from glassgrad.checks.guard import run
from glassgrad.checks.identity import tells_apart
from glassgrad.checks.learner import Trial
from glassgrad.checks.programs import PROGRAMS, STEPS, Program, reference, tried
from glassgrad.checks.report import NOWHERE, Place, Problem
from glassgrad.checks.source import Written
from glassgrad.engine.value import Value
from glassgrad.graphs.assemble import assemble
from glassgrad.graphs.collect import collect
from glassgrad.graphs.read import graph
from glassgrad.graphs.recognise import agree


def seeded(exam: Exam) -> None:
    """Check that the driver gives the root its gradient of 1; if not, go on with it given."""
    learner = exam.learner
    trial = Trial(learner, PROGRAMS[0].run, PROGRAMS[0].at, PROGRAMS[0].names)
    if not trial.made or trial.error or any(trial.grads):
        return
    learner.seeds = True
    again = Trial(learner, PROGRAMS[0].run, PROGRAMS[0].at, PROGRAMS[0].names)
    if again.error or not any(again.grads):
        learner.seeds = False
        return
    name = learner.driver_name
    exam.find(
        Problem(
            f"{name}() does not give the result its own gradient",
            where=_head(exam),
            trial=tried(PROGRAMS[0]),
            expected="a.grad -3, b.grad 2",
            got="0 and 0",
            slip=f"d(result)/d(result) is 1: begin with `self.{learner.grad_name} = 1.0`.",
        ),
        trial,
    )


def works(exam: Exam) -> bool:
    """Check that the driver does anything at all, where nothing else can run the rules.

    One operation that goes wrong is that operation's fault; if a sum and a product go wrong in
    the same way, the driver's.
    """
    programs = (Program("a + b", lambda a, b: a + b, ("a", "b"), (2.0, -3.0)), PROGRAMS[0])
    trials = [Trial(exam.learner, p.run, p.at, p.names, steps=STEPS) for p in programs]
    ways = [t.backward.complaint or str(any(t.grads)) for t in trials if t.backward]
    if len(ways) < 2 or ways[0] != ways[1] or ways[0] == "True":
        return True
    name, ran = exam.learner.driver_name, trials[0].backward
    raised = ran is not None and ran.error is not None
    exam.find(
        Problem(
            f"{name}() {ways[0]}" if raised else f"{name}() leaves every gradient at 0",
            where=exam.line(ran, _head(exam)) if ran and raised else _head(exam),
            trial=tried(programs[0]),
            slip=exam.failure(ran, name, 1) if ran and raised
            else "Nothing arrives: are the operands kept, and is every rule called?",
        ),
        trials[0],
    )  # fmt: skip
    return False


def drives(exam: Exam) -> bool:
    """Check the driver; return whether it can be relied upon.

    Where the rules of ``+`` and ``*`` are wrong themselves, only trees are tried, and compared
    with our own walk over the same rules.
    """
    programs = [p for p in PROGRAMS if p.tree] if exam.blamed else PROGRAMS
    if exam.blamed and not exam.can_walk:
        return True
    trials = [Trial(exam.learner, p.run, p.at, p.names, steps=STEPS) for p in programs]
    rights = [_right(exam, p) for p in programs]
    rows = [row for row in zip(programs, trials, rights, strict=True) if row[1].made and row[2]]
    for program, trial, right in rows:
        problem = None
        if trial.backward and trial.backward.error:
            problem = _raised(exam, program, trial)
        elif not all(map(agree, right, trial.grads)):
            problem = _wrong(exam, program, trial, right, [row[:2] for row in rows])
        if problem is not None:
            exam.find(problem, trial)
            return False
        exam.passed += 1
    if exam.blamed:
        return True
    apart = exam.confused or tells_apart(exam)
    return apart and _again(exam) and _next(exam)


def _right(exam: Exam, program: Program) -> tuple[float, ...]:
    """Return the right gradients: by our own Value, or by our own walk over the learner's rules."""
    if exam.blamed:
        trial = Trial(exam.learner, program.run, program.at, program.names, walk=True)
        return () if trial.error or not trial.walked else trial.grads
    return reference(program)


def _raised(exam: Exam, program: Program, trial: Trial) -> Problem | None:
    ran = trial.backward
    if ran is None or exam.learner.driver_name not in {code.co_name for code in ran.called}:
        return None
    name = exam.learner.driver_name
    slip = exam.failure(ran, name, 1)
    if ran.endless:
        slip = "It goes round in circles: is each value marked as visited before its operands are?"
    return Problem(
        f"{name}() {ran.complaint}",
        where=_head(exam) if ran.endless else exam.line(ran, _head(exam)),
        trial=tried(program),
        slip=slip,
    )


def _wrong(
    exam: Exam,
    program: Program,
    trial: Trial,
    right: Sequence[float],
    rows: Sequence[tuple[Program, Trial]],
) -> Problem:
    """Return the problem with a walk that left wrong gradients."""
    name = exam.learner.driver_name
    expected, got = differing(program.names, right, trial.grads)
    found = _few_roots(exam, trial) or _by_schedule(rows) or _by_seed(exam, trial, right)
    if found is None and _varies(exam, program):
        found = (
            "{driver} gives different gradients from run to run",
            "The walk depends on the order of a set: each value must come after everything that "
            "uses it, so list a value after its operands and reverse.",
        )
    if found == walks.INPUTS_FIRST and exam.learner.code:
        written = Written(exam.learner.code)
        if not written.loops():
            found = walks.STOPS
        elif written.turns():
            found = walks.LISTED_EARLY
    what, slip = found or (
        "{driver} leaves a wrong gradient where a value is used again",
        "The rules are right when they run alone: look at the order in which they run, and at "
        "how often.",
    )
    return Problem(
        what.format(driver=f"{name}()"),
        where=_where(exam, what),
        trial=tried(program),
        expected=expected,
        got=got,
        slip=slip.format(driver=f"{name}()"),
    )


def _few_roots(exam: Exam, trial: Trial) -> tuple[str, str] | None:
    """Say so where gradients do not start at 0."""
    first = exam.learner.first_grad
    if first == 0 or isnan(first) or not all(map(bool, trial.grads)):
        return None
    return (
        f"Every gradient starts at {first:g}, and contributions are added to that",
        f"Nothing has arrived yet when a value is made: `self.{exam.learner.grad_name} = 0.0`.",
    )


def _by_schedule(rows: Sequence[tuple[Program, Trial]]) -> tuple[str, str] | None:
    """Return the slip whose schedule leaves these gradients in every program."""
    done = [row for row in rows if not row[1].error]
    own = list(filter(None, (_met(trial) for _, trial in done)))
    ways = [own] if len(own) == len(done) else zip(*map(_guesses, done), strict=True)
    return next(filter(None, map(walks.explain, ways)), None)


def _met(trial: Trial) -> walks.Walk | None:
    """Describe a program as the learner's own driver met it."""
    collected = collect(trial.root)
    places = {id(item): place for place, item in enumerate(collected.objects)}
    leaves = [places[id(leaf)] for leaf in trial.leaves if id(leaf) in places]
    if len(leaves) < len(trial.leaves):
        return None
    read = assemble(collected, lambda _: "", lambda _: None)
    return walks.met(collected, read, leaves, trial.grads)


def _guesses(row: tuple[Program, Trial]) -> list[walks.Walk]:
    """Describe a program as it may have been met, where the learner's graph does not tell."""
    program, trial = row
    leaves = {name: Value(number) for name, number in zip(program.names, program.at, strict=True)}
    read = graph(program.run(*leaves.values()), leaves)
    ids = {node.label: node.id for node in read.nodes}
    return walks.guesses(read, [ids[name] for name in program.names], trial.grads)


def _by_seed(exam: Exam, trial: Trial, right: Sequence[float]) -> tuple[str, str] | None:
    """Say so where the root's own gradient is not 1 and everything follows from it."""
    seed = exam.learner.grad(trial.root)
    if agree(seed, 1.0) or not all(
        agree(seed * r, g) for r, g in zip(right, trial.grads, strict=True)
    ):
        return None
    return (
        f"{{driver}} starts with {seed:g} instead of 1",
        f"d(result)/d(result) is 1: begin with `self.{exam.learner.grad_name} = 1.0`.",
    )


def _varies(exam: Exam, program: Program) -> bool:
    trials = [
        Trial(exam.learner, program.run, program.at, program.names, steps=STEPS) for _ in range(24)
    ]
    return len({trial.grads for trial in trials}) > 1


def _again(exam: Exam) -> bool:
    """Check that a second, fresh graph comes out as the first one did."""
    program = PROGRAMS[2]
    right = reference(program)
    trials = [
        Trial(exam.learner, program.run, program.at, program.names, steps=STEPS) for _ in range(24)
    ]
    wrong = next((t for t in trials if not t.error and not all(map(agree, right, t.grads))), None)
    if wrong is None:
        exam.passed += 1
        return True
    return _kept(exam, program, wrong, wrong.grads)


def _next(exam: Exam) -> bool:
    """Check that a graph on leaves that were in another graph before does not hear of that one."""
    learner, program = exam.learner, PROGRAMS[0]
    trial = Trial(learner, program.run, program.at, program.names, steps=STEPS)
    for leaf in trial.leaves:
        setattr(leaf, learner.grad_name, 0.0)
    ran = run(lambda: learner.drive(program.run(*trial.leaves)), STEPS)
    grads = tuple(map(learner.grad, trial.leaves))
    if ran.error or all(map(agree, reference(program), grads)):
        exam.passed += not ran.error
        return True
    return _kept(exam, program, trial, grads)


def _kept(exam: Exam, program: Program, trial: Trial, grads: Sequence[float]) -> bool:
    """Note that something is kept from one graph to the next; return False."""
    expected, got = differing(program.names, reference(program), grads)
    name = exam.learner.driver_name
    exam.find(
        Problem(
            f"{name}() gives different gradients for identical programs",
            where=_head(exam),
            trial=f"{tried(program)}, again",
            expected=expected,
            got=got,
            slip="Something is kept from one graph to the next, or follows the order of a set: "
            "make the list and the visited set inside the method, and keep operands in a tuple.",
        ),
        trial,
    )
    return False


# -- where ---------------------------------------------------------------------------------------


def _head(exam: Exam) -> Place:
    code = exam.learner.code
    return Written(code).head() if code else NOWHERE


def _where(exam: Exam, what: str) -> Place:
    """Return the line of a driver that a slip is about: its inner function, its loop, its head."""
    code = exam.learner.code
    if code is None:
        return NOWHERE
    written = Written(code)
    loops, inner = written.loops(), written.rules()
    if "inputs first" in what and loops:
        return written.line(written.file, loops[-1].lineno)
    if inner and "own rule" not in what:
        return written.line(written.file, inner[0].lineno)
    return written.head()
