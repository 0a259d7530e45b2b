"""An exception from a cell that we ran in, the traceback of the same cell run bare out.

IPython prints a traceback after the exception has passed through our frames, so they can only be
taken out at the last moment. For the one exception that is about to be shown, the shell's
``showtraceback`` is wrapped; the wrapper takes itself off again the first time it is called.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glassgrad.notebook.shell import Shell

NOTEBOOK = str(Path(__file__).parent)
RECORD = str(Path(__file__).parent.parent / "recording")
"""The rooms whose frames nobody wants to see; those of the engine are a library's, and stay."""

COMPILER_ERRORS = (SyntaxError, OverflowError, ValueError, TypeError, MemoryError)
"""What IPython shows as a syntax error when the compiler raises it."""


def show_as_bare(
    ip: Shell, error: BaseException, filename: str, *, ran: bool, head: str = ""
) -> None:
    """Let the next traceback be that of the bare cell, if it is the traceback of this error.

    Parameters
    ----------
    ip : Shell
        The shell that will print it.
    error : BaseException
        About to be raised to the shell.
    filename : str
        What the cell is called in tracebacks.
    ran : bool
        False if the error came from the compiler: then it is shown as a syntax error, which has
        no frames at all.
    head : str, optional
        The line of the magic, as the user typed it: the first line of the cell.
    """
    attributes = vars(ip)
    missing = object()
    earlier = attributes.get("showtraceback", missing)
    show = ip.showtraceback

    def show_once(*arguments: Any, **options: Any) -> None:
        if earlier is missing:
            attributes.pop("showtraceback", None)
        else:
            attributes["showtraceback"] = earlier
        if sys.exc_info()[1] is not error:
            show(*arguments, **options)
        elif not ran and isinstance(error, IndentationError):
            ip.showindentationerror()
        elif not ran and isinstance(error, COMPILER_ERRORS):
            ip.showsyntaxerror()
        else:
            trim(error.__traceback__, filename)
            with _headed(filename, head):
                show(*arguments, **options)

    attributes["showtraceback"] = show_once


@contextmanager
def _headed(filename: str, head: str) -> Iterator[None]:
    """Show the magic's line while a traceback is printed; it was empty for the compiler's sake."""
    entry = linecache.cache.get(filename)
    if not head or entry is None or len(entry) != 4 or not entry[2] or entry[2][0].strip():
        yield
        return
    size, modified, lines, name = entry
    headed = [f"{head}\n", *lines[1:]]
    _keep_tree(filename, headed)
    linecache.cache[filename] = (size, modified, headed, name)
    try:
        yield
    finally:
        linecache.cache[filename] = entry


def _keep_tree(filename: str, lines: list[str]) -> None:
    """Let the formatter of tracebacks keep the tree of a source that it could not parse now."""
    try:
        from stack_data.core import Source

        source = Source.for_filename(filename)
        source.text, source.lines[0] = "".join(lines), lines[0].rstrip()
        known: Any = Source._class_local("__source_cache_with_lines", {})
        known[filename, tuple(lines)] = source
    except Exception:  # of another version: it shows whole lines then, and marks no expression
        return


def trim(traceback: TracebackType | None, filename: str) -> None:
    """Take our frames out of a traceback, in place.

    Parameters
    ----------
    traceback : traceback or None
        It begins with the frame of the shell, which stays.
    filename : str
        The file of the first frame that is the user's.
    """
    if traceback is None:
        return
    frames = list(_chain(traceback))[1:]
    files = [frame.tb_frame.f_code.co_filename for frame in frames]
    ours = [index for index, file in enumerate(files) if file.startswith(NOTEBOOK)]
    start = files.index(filename) if filename in files else ours[-1] + 1 if ours else 0
    kept = [
        frame
        for frame, file in zip(frames[start:], files[start:], strict=True)
        if not file.startswith(RECORD)  # interrupted while the recorder listened
    ]
    for frame, following in zip([traceback, *kept], [*kept, None], strict=True):
        frame.tb_next = following


def failing_line(error: BaseException | None, filename: str) -> int | None:
    """Return the line of the cell in which an exception was raised.

    Parameters
    ----------
    error : BaseException or None
        Raised by the cell, or by something that it called; None if nothing failed.
    filename : str
        What the cell is called in tracebacks.

    Returns
    -------
    int or None
        The innermost line that stands in the cell.
    """
    if error is None:
        return None
    if isinstance(error, SyntaxError) and error.filename == filename:
        return error.lineno
    lines = [
        link.tb_lineno
        for link in _chain(error.__traceback__)
        if link.tb_frame.f_code.co_filename == filename
    ]
    return lines[-1] if lines else None


def _chain(traceback: TracebackType | None) -> Iterator[TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next
