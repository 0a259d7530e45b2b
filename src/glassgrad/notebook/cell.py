"""A cell's text in, its outcome out: run once, the way IPython runs a cell, with a recorder.

IPython prepares a cell (its own syntax, the tree, other extensions' transformers), then compiles
and runs one statement after the other and shows the value of the last expression. The same steps
are taken here, with one more before the compiler. Nothing is displayed and nothing is caught for
good: the outcome carries the value or the exception to whoever asked.

A cell may wait at its top level, so running one is a coroutine. Most cells do not wait, and
`run_at_once` runs those in one go.
"""

from __future__ import annotations

import ast
import inspect
import sys
import traceback
from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

from IPython.core.displayhook import DisplayHook
from IPython.core.error import UsageError

from glassgrad.notebook.values import gradient
from glassgrad.recording import Functions, Instrumenter, Recorder, Scope, Script, connect
from glassgrad.recording.syntax import counts, has_await, may_wait

if TYPE_CHECKING:
    from glassgrad.notebook.shell import Shell

AWAIT_SENTENCE = (
    "This cell uses await outside of a function. That works below %%autograd on the first line "
    "of a cell; called in any other way, the magic cannot wait."
)


@dataclass(frozen=True)
class Request:
    """What to run, and how.

    Parameters
    ----------
    body : str
        The text below the magic's line, as the user wrote it; or the expression beside it.
    reads : callable
        Tells whether an object is a Value.
    lift : callable or None
        Makes a Value of a number that the cell assigns.
    first : int
        The number of the body's first line as the user sees it: 2 below a magic's line.
    functions : Functions or None
        The functions of earlier cells, which listen as well; those of this one are added.
    """

    body: str
    reads: Callable[[object], bool]
    lift: Callable[[float], object] | None = None
    first: int = 2
    functions: Functions | None = None


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
    number : int
        n in ``In[n]``.
    value : object
        The value of the last expression, or None.
    shown : bool
        Whether IPython would show that value: False after a semicolon.
    error : BaseException or None
        The exception that ended the cell.
    ran : bool
        False if the error came from the compiler, before the statement began.
    before : mapping of str to int
        The identities of the variables before it ran.
    numbers : bool
        Whether the cell assigns plain numbers, which could be lifted.
    """

    recorder: Recorder
    text: str = ""
    filename: str = "<cell>"
    number: int = 0
    value: object = None
    shown: bool = True
    error: BaseException | None = None
    ran: bool = True
    before: Mapping[str, int] = field(default_factory=dict)
    numbers: bool = False


def run_at_once(ip: Shell, request: Request) -> Outcome:
    """Run a cell that does not wait.

    Parameters
    ----------
    ip : Shell
        The shell whose cell it is.
    request : Request
        The cell.

    Returns
    -------
    Outcome
        Its exception, if any, has not been raised.
    """
    coroutine = run(ip, request, waiting=False)
    try:
        coroutine.send(None)
    except StopIteration as finished:
        outcome: Outcome = finished.value
        return outcome
    raise RuntimeError("A cell that does not wait has waited.")


async def run(ip: Shell, request: Request, *, waiting: bool) -> Outcome:
    """Run a cell; the caller's event loop carries what it waits for.

    Parameters
    ----------
    ip : Shell
        The shell whose cell it is.
    request : Request
        The cell.
    waiting : bool
        Whether the cell may wait.

    Returns
    -------
    Outcome
        Its exception, if any, has not been raised.
    """
    outcome = Outcome(Recorder("", (), request.reads), ran=False)
    try:
        blank = request.first - 1 + _leading_blank_lines(request.body)
        outcome.text = text = "\n" * blank + ip.transform_cell(request.body)
        outcome.shown = not _ends_with_semicolon(text)
        outcome.number = _cell_number(ip)
        outcome.filename = ip.compile.cache(text, outcome.number)
        tree = ip.transform_ast(ip.compile.ast_parse(text, outcome.filename))
        if not waiting and ip.autoawait and may_wait(text) and has_await(tree.body):
            raise UsageError(AWAIT_SENTENCE)
        outcome.numbers = any(map(_is_number_assigned, tree.body))
        instrumenter = Instrumenter(counts(tree.body) if request.lift is not None else None)
        recorder = Recorder(
            text,
            instrumenter.sites,
            request.reads,
            request.lift,
            scope=Scope(instrumenter.functions, Script(text.split("\n"), outcome.number)),
            functions=request.functions,
        )
        outcome.recorder = recorder
        outcome.before = recorder.meet(ip.user_ns, gradient)
        for node, mode in _by_mode(tree.body, ip.ast_node_interactivity):
            waits = _step(ip, outcome, instrumenter, node, mode)
            if waits is not None:
                result = await waits
                outcome.value = result if mode == "eval" else None
    except BaseException as error:  # the caller raises it, KeyboardInterrupt and SystemExit too
        outcome.error = error
        outcome.recorder.raised(_line_of_cell(error, outcome.filename))
    outcome.recorder.restore()
    return outcome


def _line_of_cell(error: BaseException, filename: str) -> int:
    """Return the line of a cell's own that raised, or called what raised; 0 for none."""
    places = traceback.walk_tb(error.__traceback__)
    return next((line for at, line in places if at.f_code.co_filename == filename), 0)


def _step(
    ip: Shell, outcome: Outcome, instrumenter: Instrumenter, node: ast.stmt, mode: str
) -> Coroutine[Any, Any, object] | None:
    """Compile one statement and run it, or return what runs it; keep its value in mode ``eval``."""
    line, recorder = node.lineno, outcome.recorder
    outcome.ran = False
    recorder.leave(node, ip.user_ns)
    code = connect(_compiled(ip, outcome, instrumenter.statement(node), mode), recorder)
    before = _identities(ip.user_ns) if instrumenter.unheard else None
    outcome.ran = True
    if code.co_flags & inspect.CO_COROUTINE:
        waits: Coroutine[Any, Any, object] = eval(code, ip.user_global_ns, ip.user_ns)
        return waits
    if mode == "eval":
        outcome.value = eval(code, ip.user_global_ns, ip.user_ns)
    else:
        exec(code, ip.user_global_ns, ip.user_ns)
    if before is not None:
        recorder.catch_up(before, ip.user_ns, line)
    return None


def _compiled(ip: Shell, outcome: Outcome, statements: list[ast.stmt], mode: str) -> CodeType:
    tree: ast.mod
    if mode == "eval":
        (statement,) = statements
        assert isinstance(statement, ast.Expr)
        tree = ast.Expression(statement.value)
    else:
        tree = ast.Interactive(statements) if mode == "single" else ast.Module(statements, [])
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if ip.autoawait else 0
    with ip.compile.extra_flags(flags):
        code: CodeType = ip.compile(tree, outcome.filename, mode)
    return code


def _is_number_assigned(node: ast.stmt) -> bool:
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return False
    values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    return any(
        isinstance(value, ast.Constant) and type(value.value) in (int, float)
        for value in (v.operand if isinstance(v, ast.UnaryOp) else v for v in values)
    )


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
        return ";" in text and decide(text)  # which reads the whole cell token by token
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
