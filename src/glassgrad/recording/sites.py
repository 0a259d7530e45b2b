"""Places in the source, and what is known of a value afterwards: plain data for the whole room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from glassgrad.graphs.model import Source

if TYPE_CHECKING:
    from glassgrad.recording.functions import Definition

How: TypeAlias = Literal["made", "seen", "bound", "within", "told"]


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the source, as the compiler counts: lines from 1, columns in UTF-8 bytes from 0.

    Parameters
    ----------
    line, column, end_line, end_column : int
        Where the text begins and ends.
    name : str
        The variable that is bound here; of a call that runs gradients backward, the method; ``""``
        for other expressions.
    how : {"made", "seen", "bound", "within", "told"}
        What is heard here: a value that was computed, one that was looked up, one that was given a
        name, one that a function computed; or something that is no value.

    Examples
    --------
    >>> Site(1, 0, 1, 5).line
    1
    """

    line: int
    column: int
    end_line: int
    end_column: int
    name: str = ""
    how: How = "made"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value came from.

    Parameters
    ----------
    line : int or None
        The line that computed it; None when the cell reached it but did not compute it.
    column : int or None
        Where the expression begins in that line, in characters, from 0.
    text : str or None
        The source text of the expression, in one line.
    names : tuple of str
        The variables it was bound to, in order. They stay with the value when a variable is used
        for something else later.

    Examples
    --------
    >>> Origin(2, 4, "a * b", ("c",)).names
    ('c',)
    """

    line: int | None
    column: int | None
    text: str | None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Script:
    """The text of a cell or a file.

    Parameters
    ----------
    lines : sequence of str
        Its lines.
    number : int, optional
        n in ``In[n]``, 0 for what is no cell.

    Examples
    --------
    >>> Script(["a = 1"], 3).number
    3
    """

    lines: Sequence[str]
    number: int = 0


class Spot(NamedTuple):
    """A place in the body of a function."""

    definition: Definition | None
    site: Site


class Moment(NamedTuple):
    """When something happened, and where in the cell."""

    site: Site
    order: int


class Inner(NamedTuple):
    """A line of a function that gave a value, and when."""

    definition: Definition | None
    """The function, None where it stands in the cell itself."""

    site: Site
    order: int


@dataclass(frozen=True, slots=True)
class Trace(Source):
    """A source with the moment at which the value was computed.

    Parameters
    ----------
    site : Site or None
        The expression of the cell that gave it.
    order : int
        Its place among all values of the cell.
    within : tuple of Inner
        The lines of functions that gave it, the innermost first.
    old : bool
        Whether it was there before the cell ran.

    Examples
    --------
    >>> Trace(2, "a * b", Site(2, 4, 2, 9), order=3).line
    2
    """

    site: Site | None = None
    order: int = -1
    within: tuple[Inner, ...] = ()
    old: bool = False


Hold: TypeAlias = Callable[[], object]
"""Gives a value back, or None when it is gone: a weak reference, or a strong one like it."""


class Heard(NamedTuple):
    """What is known of a value: how to reach it, where it was heard first, its names, and when."""

    hold: Hold
    site: Site
    names: tuple[str, ...]
    moment: int


class Earlier(NamedTuple):
    """What a value was before the cell ran: its name, and the gradient it held."""

    name: str
    grad: object


class Call(NamedTuple):
    """A call that ran gradients backward."""

    where: str
    """``"line 3"``, or ``"line 3 of cell 2"``."""

    text: str
    """As it is written: ``"loss.backward()"``."""

    whole: bool
    """Whether it runs the whole backward pass, and not the rule of one value."""

    value: Hold
    """Gives what it was called on, or None when that is gone."""


def cut(lines: Sequence[str], site: Site) -> tuple[int, str]:
    """Return where a site begins and what is written there.

    Parameters
    ----------
    lines : sequence of str
        The lines of the source.
    site : Site
        A place in it.

    Returns
    -------
    column : int
        In characters; sites count bytes.
    text : str
        In one line, runs of white space as one space.

    Examples
    --------
    >>> cut(["π = 3 * ρ"], Site(1, 5, 1, 11))
    (4, '3 * ρ')
    """
    encoded = [line.encode() for line in lines[site.line - 1 : site.end_line]]
    if not encoded:
        return 0, ""
    column = len(encoded[0][: site.column].decode(errors="replace"))
    encoded[-1] = encoded[-1][: site.end_column]
    encoded[0] = encoded[0][site.column :]
    return column, " ".join(b" ".join(encoded).decode(errors="replace").split())
