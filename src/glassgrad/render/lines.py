"""The user's text on one line: what every renderer does to a label first.

In flows any string; out flows one that moves no cursor, ends no line and is not endless.
"""

from __future__ import annotations

LONGEST = 60
"""So many characters of a label are shown."""


def one_line(text: str, longest: int = LONGEST) -> str:
    r"""Return text on one line: single spaces, ``�`` for what cannot be seen, cut short.

    Examples
    --------
    >>> one_line("two  \n lines"), one_line("bell \a")
    ('two lines', 'bell �')
    """
    words = " ".join(text[: 10 * longest].split())
    seen = "".join(sign if sign.isprintable() else "�" for sign in words)
    return seen if len(seen) <= longest else f"{seen[: longest - 1]}…"
