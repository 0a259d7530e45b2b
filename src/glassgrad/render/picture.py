"""A `graphviz.Digraph` that finds a program to draw it.

In flows DOT; out flow files and notebook output.  The graphviz package runs a program called
``dot``, which most machines lack.  Where it is missing, this one uses the self-contained program
of the ``graphviz-pure`` wheel, and only for its own drawing: other uses of the graphviz package
keep theirs.
"""

from __future__ import annotations

import shutil
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

import graphviz
from graphviz.backend import dot_command

NO_PROGRAM = (
    "A picture needs Graphviz, and this machine has none: pip install 'glassgrad[static]' "
    "brings a small one; print(gg.graph(value)) needs nothing."
)

_only_one = Lock()  # the graphviz package keeps the program's name in a global


class NoProgramError(RuntimeError):
    """There is no program on this machine that lays out DOT."""


@contextmanager
def dot_program() -> Iterator[None]:
    """Let the graphviz package find a program, for the length of the block.

    Raises
    ------
    NoProgramError
        When there is neither Graphviz nor graphviz-pure.
    """
    if has_dot():
        yield
        return
    program = _bundled()
    if program is None:
        raise NoProgramError(NO_PROGRAM)
    with _only_one:
        usual = dot_command.DOT_BINARY
        dot_command.DOT_BINARY = Path(program)
        try:
            yield
        finally:
            dot_command.DOT_BINARY = usual


def has_dot() -> bool:
    """Whether Graphviz's own program is there."""
    return shutil.which(dot_command.DOT_BINARY) is not None


def _bundled() -> str | None:
    """Return the program of graphviz-pure: beside this Python, or on the path."""
    beside = shutil.which("graphviz-pure", path=sysconfig.get_path("scripts"))
    return beside or shutil.which("graphviz-pure")


class Picture(graphviz.Digraph):  # type: ignore[misc]  # the package has no types
    """A Digraph that draws itself with whatever program there is, and as text without one.

    Everything else is as in `graphviz.Digraph`.  Warnings of the layout program are dropped; it
    estimates the width of characters that it has no font for, and says so for each.
    """

    text = ""
    """What is shown where nothing can draw."""

    def pipe(
        self, format: str | None = None, *args: Any, quiet: bool = True, **options: Any
    ) -> Any:
        """Return the picture: bytes, or a string where ``encoding`` is given."""
        with dot_program():
            return super().pipe(format, *args, quiet=quiet, **options)

    def render(self, *args: Any, quiet: bool = True, **options: Any) -> str:
        """Write the picture to a file; return the file's path."""
        with dot_program():
            path: str = super().render(*args, quiet=quiet, **options)
            return path

    def _repr_mimebundle_(
        self,
        include: Iterable[str] | None = None,
        exclude: Iterable[str] | None = None,
        **options: Any,
    ) -> dict[str, bytes | str]:
        """Return what a notebook shows: the picture and the text, or the text alone."""
        try:
            pictures = super()._repr_mimebundle_(include, exclude, **options)
        except NoProgramError:
            pictures = {}
        return {**pictures, "text/plain": self.text or repr(self)}
