"""A cell's text in, its outcome out: run once, the way IPython runs a cell, with a recorder.

IPython prepares a cell (its own syntax, the tree, other extensions' transformers), then compiles
and runs one statement after the other and shows the value of the last expression. The same steps
are taken here, with one more before the compiler. Nothing is displayed and nothing is caught for
good: the outcome carries the value or the exception to whoever asked.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING

from IPython.core.displayhook import DisplayHook
from IPython.core.error import UsageError

from glassgrad.notebook.values import gradient
from glassgrad.recording import Instrumenter, Recorder, connect
from glassgrad.recording.instrument import has_await

if TYPE_CHECKING:
    from glassgrad.notebook.shell import Shell

FIRST_LINE = 2
"""The number of the first line below the line of the magic."""

AWAIT_SENTENCE = (
    "This cell uses await outside of a function, which %%autograd cannot run: "
    "await in a cell of its own, and use the result here."
)


@dataclass
class Outcome:
    """What came of a cell.

    Parameters
    ----------
    recorder : Recorder
        What it computed.
    text : str
        What was compiled; its line numbers are those that the user sees.
    filename : str
        What the cell is called in tracebacks.
    value : object
        The value of the last expression, or None.
    shown : bool
        Whether IPython would show that value: False after a semicolon.
    error : BaseException or None
        The exception that ended the cell.
    ran : bool
        False if the error came from the compiler, before the statement began.
    """

    recorder: Recorder
    text: str = ""
    filename: str = "<cell>"
    value: object = None
    shown: bool = True
    error: BaseException | None = None
    ran: bool = True


def run(ip: Shell, body: str, reads: Callable[[object], bool]) -> Outcome:
    """Run the text below a magic's line as a cell.

    Parameters
    ----------
    ip : Shell
        The shell whose cell it is.
    body : str
        The cell without the line of the magic, as the user wrote it.
    reads : callable
        Tells whether an object is a Value.

    Returns
    -------
    Outcome
        Its exception, if any, has not been raised.
    """
    instrumenter = Instrumenter()
    outcome = Outcome(Recorder("", instrumenter.sites, reads))
    try:
        outcome.ran = False
        blank = FIRST_LINE - 1 + _leading_blank_lines(body)
        outcome.text = text = "\n" * blank + ip.transform_cell(body)
        outcome.shown = not _ends_with_semicolon(text)
        outcome.filename = ip.compile.cache(text, _cell_number(ip))
        outcome.recorder = Recorder(text, instrumenter.sites, reads)
        tree = ip.transform_ast(ip.compile.ast_parse(text, outcome.filename))
        if has_await(tree.body):
            raise UsageError(AWAIT_SENTENCE)
        before = outcome.recorder.meet(ip.user_ns, gradient)
        for node, mode in _by_mode(tree.body, ip.ast_node_interactivity):
            _step(ip, outcome, instrumenter, node, mode)
        outcome.recorder.catch_up(before, ip.user_ns, 0)
    except BaseException as error:  # the caller raises it, KeyboardInterrupt and SystemExit too
        outcome.error = error
    return outcome


def _step(
    ip: Shell, outcome: Outcome, instrumenter: Instrumenter, node: ast.stmt, mode: str
) -> None:
    """Compile one statement, run it, and keep its value if its mode is ``eval``."""
    line = node.lineno
    outcome.ran = False
    statements = instrumenter.statement(node)
    tree: ast.mod
    if mode == "eval":
        assert isinstance(node, ast.Expr)
        tree = ast.Expression(node.value)
    else:
        tree = ast.Interactive(statements) if mode == "single" else ast.Module(statements, [])
    code = connect(ip.compile(tree, outcome.filename, mode), outcome.recorder)
    before = _identities(ip.user_ns) if instrumenter.unheard else None
    outcome.ran = True
    if mode == "eval":
        outcome.value = eval(code, ip.user_global_ns, ip.user_ns)
    else:
        exec(code, ip.user_global_ns, ip.user_ns)
    if before is not None:
        outcome.recorder.catch_up(before, ip.user_ns, line)


def _identities(variables: Mapping[str, object]) -> dict[str, int]:
    return {name: id(value) for name, value in variables.items()}


def _by_mode(body: list[ast.stmt], interactivity: str) -> Iterator[tuple[ast.stmt, str]]:
    """Pair each statement with the mode in which IPython's setting would run it.

    The last expression is evaluated, so that the magic can return its value; other statements that
    show values go through the display hook, as they would.
    """
    last = len(body) - 1
    for index, node in enumerate(body):
        shown = interactivity == "all" or (interactivity == "last" and index == last)
        is_last_expression = index == last and isinstance(node, ast.Expr)
        if is_last_expression and interactivity != "none":
            yield node, "eval"
        else:
            yield node, "single" if shown else "exec"
    if interactivity == "last_expr_or_assign" and body:
        name = _assigned_name(body[last])
        if name is not None:
            shown_node = ast.Expr(ast.Name(name, ast.Load()))
            yield ast.fix_missing_locations(ast.copy_location(shown_node, body[last])), "eval"


def _assigned_name(node: ast.stmt) -> str | None:
    """Return the variable that an assignment to a single name binds."""
    target = None
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
    elif isinstance(node, ast.AugAssign | ast.AnnAssign):
        target = node.target
    return target.id if isinstance(target, ast.Name) else None


def _leading_blank_lines(body: str) -> int:
    """Count the lines that IPython drops from the beginning of a cell."""
    lines = body.splitlines()
    return next((i for i, line in enumerate(lines) if not line.isspace() and line), 0)


def _ends_with_semicolon(text: str) -> bool:
    """Whether the output of a cell is silenced, as IPython decides it for the cell alone."""
    decide: Callable[[str], bool] = DisplayHook.semicolon_at_end_of_expression
    try:
        return decide(text)
    except Exception:  # what the tokenizer cannot read does not end with a semicolon
        return False


def _cell_number(ip: Shell) -> int:
    """Return n in ``In[n]`` of the cell that is running: its frame is below ours."""
    numbers: dict[str, int] = getattr(ip.compile, "_filename_map", {})
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        if frame.f_code.co_filename in numbers:
            return numbers[frame.f_code.co_filename]
        frame = frame.f_back
    return ip.execution_count - 1
