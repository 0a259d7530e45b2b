"""A graph in a file: which format a file's name asks for, and a file that is whole or not there.

In flow a graph and a path; out flows the file.  To save one format more, add a row.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Any

from glassgrad.graphs.model import Graph
from glassgrad.render import render
from glassgrad.render.picture import NoProgramError

SUFFIXES: Mapping[str, str] = {
    ".svg": "svg",
    ".png": "png",
    ".pdf": "pdf",
    ".html": "html",
    ".dot": "dot",
    ".mmd": "mermaid",
    ".tex": "latex",
    ".json": "json",
    ".txt": "text",
}
"""The format that each ending of a file's name stands for."""

DIRECTED = frozenset({"svg", "png", "pdf", "dot", "mermaid"})
"""The formats that have a direction: they take ``rankdir``."""

NO_PROGRAM = (
    "{name} needs Graphviz, and this machine has none: pip install 'glassgrad[static]' brings a "
    "small one, and .html needs nothing."
)


_NONE: Mapping[str, Callable[[], str]] = {}


def save(
    graph: Graph,
    path: str | os.PathLike[str],
    *,
    rankdir: str = "LR",
    made: Mapping[str, Callable[[], str]] = _NONE,
) -> Path:
    r"""Write a graph into a file, in the format that the ending of its name stands for.

    The file is there as a whole or not at all; one that was there is replaced.

    Parameters
    ----------
    graph : Graph
        The graph.
    path : str or path
        Where to: a name that ends with one of `SUFFIXES`; ``~`` is your own folder.
    rankdir : {"LR", "TB"}, optional
        The direction of a picture.
    made : mapping of str to callable, optional
        By format: what makes the text in place of the renderer.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    TypeError
        If `path` is none.
    ValueError
        If its ending stands for no format.
    OSError
        If the file cannot be written there.
    RuntimeError
        If the format needs a program that is not installed.

    Examples
    --------
    >>> import glassgrad as gg
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     save(gg.graph(gg.Value(2.0, label="a")), f"{folder}/a.txt").read_text()
    'a    data 2    grad not run\n'
    """
    file, format = target(path)
    options = {"rankdir": rankdir} if format in DIRECTED else {}
    make: Callable[[], Any] = made.get(format) or partial(render, graph, format, **options)
    try:
        content = make()
    except NoProgramError as error:
        said = str(error) if format == "pdf" else NO_PROGRAM.format(name=file.name)
        raise NoProgramError(said) from None
    write(file, content if isinstance(content, bytes) else _encoded(str(content)))
    return file


def target(path: str | os.PathLike[str]) -> tuple[Path, str]:
    """Return the file that a path means, and the format it asks for.

    Raises
    ------
    TypeError, ValueError, OSError
        With one sentence on what is wrong with the path.

    Examples
    --------
    >>> target("picture.SVG")
    (PosixPath('picture.SVG'), 'svg')
    >>> target("picture.bmp")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ValueError: picture.bmp would be in a format that there is not: end the name with .svg, ...
    """
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"save() needs the name of a file, such as 'graph.svg'; got {path!r}.")
    file = Path(path).expanduser()
    format = SUFFIXES.get(file.suffix.lower())
    if format is None:
        *others, last = SUFFIXES
        what = (
            f"{file.name} would be in a format that there is not"
            if file.suffix
            else f"{str(path)!r} does not say which format it should have"
        )
        raise ValueError(f"{what}: end the name with {', '.join(others)} or {last}.")
    if not _is_folder(file.parent):
        raise FileNotFoundError(
            f"{file.name} was not saved, because there is no folder {str(file.parent)!r}: "
            "create it first, or name another one."
        )
    if _is_folder(file):
        raise IsADirectoryError(f"{str(file)!r} is a folder: give the file another name.")
    return file, format


def write(file: Path, content: bytes) -> None:
    """Write a file beside the place where it belongs, and put it there when it is complete.

    Raises
    ------
    OSError, ValueError
        With one sentence; what was there before is as it was.
    """
    draft = None
    try:
        file = file.resolve()  # behind a link, so that the link stays one
        draft = file.with_name(f".glassgrad-{token_hex(4)}")
        draft.write_bytes(content)
        if file.exists():
            shutil.copymode(file, draft)
        draft.replace(file)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        why = (getattr(error, "strerror", None) or str(error)).lower()
        kind = type(error) if isinstance(error, OSError) else ValueError
        raise kind(
            f"{file.name} could not be written in the folder {str(file.parent)!r} ({why}): name "
            "another one, or change that."
        ) from None
    finally:
        with suppress(OSError):
            if draft is not None:
                draft.unlink(missing_ok=True)


def _is_folder(path: Path) -> bool:
    with suppress(OSError, ValueError):  # of a name that no file can have
        return path.is_dir()
    return False


def _encoded(text: str) -> bytes:
    return (text if text.endswith("\n") else f"{text}\n").encode()
