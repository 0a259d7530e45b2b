"""Identity: whether a class tells its values apart, as sets and ``in`` need it.

In flows an exam; onto its list goes the problem with a class for which two values that hold the
same number are one.  Whatever keeps values in a set goes wrong then, so it is looked for first.
"""

from __future__ import annotations

from glassgrad.checks.exam import Exam, differing
from glassgrad.checks.learner import Trial
from glassgrad.checks.programs import EQUAL, STEPS, Program, reference, tried
from glassgrad.checks.report import NOWHERE, Problem
from glassgrad.checks.source import Written
from glassgrad.graphs.recognise import agree

_APART = EQUAL._replace(at=(2.0, -3.0, 5.0))


def confuses(exam: Exam) -> bool:
    """Whether it is ``==`` that goes wrong: right for different numbers, wrong for equal ones."""
    overridden = exam.written("__eq__") is not None
    return overridden and _right(exam, _APART) and not tells_apart(exam)


def tells_apart(exam: Exam) -> bool:
    """Check that values which hold the same number stay different values."""
    trial = _trial(exam, EQUAL)
    right = reference(EQUAL)
    if trial.error or all(map(agree, right, trial.grads)):
        exam.passed += not trial.error
        return True
    expected, got = differing(EQUAL.names, right, trial.grads)
    written = exam.written("__eq__") or (exam.learner.code and Written(exam.learner.code))
    exam.find(
        Problem(
            f"{exam.learner.driver_name}() takes values that hold the same number for one value",
            where=written.head() if written else NOWHERE,
            trial=tried(EQUAL),
            expected=expected,
            got=got,
            slip="`==` and `in` compare the data here. Tell values apart by identity: leave "
            "__eq__ out, or keep `id(v)` in the visited set.",
        ),
        trial,
    )
    return False


def _right(exam: Exam, program: Program) -> bool:
    trial = _trial(exam, program)
    return not trial.error and all(map(agree, reference(program), trial.grads))


def _trial(exam: Exam, program: Program) -> Trial:
    return Trial(exam.learner, program.run, program.at, program.names, steps=STEPS)
