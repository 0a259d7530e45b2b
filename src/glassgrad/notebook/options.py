"""The options of the magics: their table, what a line says, and its help.

In flows the text beside the magic's name; out flow options, or one sentence about what is wrong
with them. Help, parser and completion (`glassgrad.notebook.completion`) all read the same table.
"""

from __future__ import annotations

import re
import shlex
from argparse import Namespace
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, NamedTuple, TypeVar

from IPython.core.error import UsageError
from IPython.core.magic_arguments import argument, magic_arguments

from glassgrad.notebook.numeric import STEP

_F = TypeVar("_F", bound=Callable[..., object])

# functions of IPython that have no types
_argument: Any = argument
_magic_arguments: Any = magic_arguments


def _step_size(text: str) -> float:
    h = float(text)
    if not isfinite(h) or h == 0:
        raise ValueError(f"a step of {text} leads nowhere")
    return h


def _digits(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 17:
        raise ValueError("a float has 1 to 17 significant digits")
    return number


def _direction(text: str) -> str:
    if text not in ("LR", "TB"):
        raise ValueError(text)
    return text


def _name(text: str) -> str:
    if not text.isidentifier():
        raise ValueError(text)
    return text


class Option(NamedTuple):
    """One option: its help, and what may follow it."""

    help: str
    value: str = ""
    """What the help calls the value that follows; ``""`` where none does."""

    type: Callable[[str], object] = str
    default: object = None
    optional: bool = False
    """Whether the value may be left out; `default` stands for the option left out."""

    const: object = None
    wants: str = ""
    """What the value has to be, for the sentence about another."""

    choices: tuple[str, ...] = ()


OPTIONS: Mapping[str, Option] = {
    "--root": Option(
        "differentiate this variable, or an expression such as sum(losses)", "NAME", default=""
    ),
    "--no-backward": Option("compute no gradients"),
    "--accumulate": Option("add to the gradients that are there; clear nothing"),
    "--check": Option("show the report of gg.check on the result as well"),
    "--step": Option("open the picture at the first step of backward"),
    "--predict": Option("open the picture with the gradients hidden, for you to say"),
    "--by-hand": Option("open the picture with every rule yours to run; runs no backward()"),
    "--lift": Option("make a Value of every number that the cell assigns"),
    "--numeric": Option(
        "measure the slope of each input as well: (f(x + H) - f(x)) / H",
        "H",
        _step_size,
        optional=True,
        const=STEP,
        wants="a step such as 0.001",
    ),
    "--precision": Option(
        "significant digits of the picture", "N", _digits, 4, wants="a whole number from 1 to 17"
    ),
    "--rankdir": Option(
        "direction of the picture: LR or TB",
        "DIR",
        _direction,
        "LR",
        wants="LR or TB",
        choices=("LR", "TB"),
    ),
    "--text": Option("print lines and values as text instead of a picture"),
    "--as": Option(
        "bind what was recorded to this name: its .graph, .lines, .show() and .to_text()",
        "NAME",
        _name,
        wants="a name for a variable",
    ),
}
"""The options of ``%%autograd`` and ``%autograd``."""


def takes_options(name: str) -> Callable[[_F], _F]:
    """Return a decorator that gives a magic its options, and the help that lists them."""

    def decorate(function: _F) -> _F:
        for option, row in reversed(list(OPTIONS.items())):
            settings = (
                {"metavar": row.value, "type": row.type, "default": row.default}
                | ({"nargs": "?", "const": row.const} if row.optional else {})
                if row.value
                else {"action": "store_true"}
            )
            settings["help"] = row.help.replace("%", "%%")
            if option == "--as":
                settings["dest"] = "bind"
            function = _argument(option, **settings)(function)
        decorated: _F = _magic_arguments(name)(function)
        # IPython wraps what is no plain name in <>; "[H]" says enough, and the column stays
        decorated.__doc__ = re.sub(r"<(\[\w+\])>", r"\1  ", decorated.__doc__ or "")
        return decorated

    return decorate


def parse(function: Any, line: str, magic: str) -> Namespace:
    """Read the options, or say in one sentence what is wrong with them.

    Parameters
    ----------
    function : callable
        The magic, decorated with `takes_options`.
    line : str
        What stands beside its name.
    magic : str
        What the user typed to call it.

    Raises
    ------
    UsageError
        With one sentence.
    """
    try:
        words = [_unquoted(word) for word in shlex.split(line, posix=False)]
        options, extra = function.parser.parse_known_args(words)
        result: Namespace = options
    except (UsageError, ValueError) as error:
        raise _usage_error(magic, _explained(str(error))) from None
    if extra:
        raise _usage_error(magic, _stray(extra[0]))
    return result


def _unquoted(word: str) -> str:
    """Take the quotes off a word; those within it belong to the expression that it is.

    Examples
    --------
    >>> _unquoted('"a[0] + b"'), _unquoted('losses["one"]')
    ('a[0] + b', 'losses["one"]')
    """
    quoted = len(word) > 1 and word[0] == word[-1] and word[0] in "'\""
    return word[1:-1] if quoted else word


def _usage_error(magic: str, what: str) -> UsageError:
    return UsageError(f"{magic}: {what}; {magic}? lists the options.")


def _stray(word: str) -> str:
    if word.startswith("-"):
        close = [option for option in OPTIONS if option.startswith(word[:4])]
        return f"there is no option {word}" + (f", did you mean {close[0]}" if close else "")
    return f"{word} belongs to no option, to differentiate it write --root {word}"


def _explained(error: str) -> str:
    """Say what the parser said, in our words."""
    for option, row in OPTIONS.items():
        if f"argument {option}:" in error:
            return f"{option} needs {row.wants or 'a name'}"
    return error[:1].lower() + error[1:].rstrip(".")


def split(line: str) -> tuple[str, str]:
    """Divide the line of ``%autograd`` into its options and the expression after them.

    Examples
    --------
    >>> split("--precision 6 --text a * b"), split("--numeric a - 2"), split("-a * b")
    (('--precision 6 --text', 'a * b'), ('--numeric', 'a - 2'), ('', '-a * b'))
    """
    options: list[str] = []
    rest = line.strip()
    while rest.startswith("--") and rest.split(maxsplit=1)[0] in OPTIONS:
        word, _, rest = rest.partition(" ")
        options.append(word)
        row, rest = OPTIONS[word], rest.strip()
        value, _, after = rest.partition(" ")
        if row.value and (not row.optional or _fits(row, value)):
            options.append(value)
            rest = after.strip()
    return " ".join(options), rest


def _fits(row: Option, value: str) -> bool:
    try:
        row.type(value)
    except ValueError:
        return False
    return True
