"""Value classes in the dialects that people write, and what can be known of each.

Most are the lecture's class under other names, made from one template; the rest, which keep their
graph in other ways, are written out in `structures`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Dialect:
    """A class, and what reading it should tell."""

    name: str
    cls: type
    ordered: bool = True
    """Whether the order of operands can be known."""
    slopes: bool = True
    """Whether the class has a local rule that can be run, or keeps its slopes."""
    ops: tuple[str, str] = ("*", "+")
    """What it calls a product and a sum."""
    grad: float | None = 0.0
    """What a fresh value has as its gradient; None where it has none."""
    start: float = 0.0
    label: str = "label"
    """The attribute that holds a label; "" where there is none."""
    constant: str = "wrapped"
    """What becomes of the 3 in ``v * 3``: a "wrapped" value, a "kept" number, or "dropped"."""
    square: bool = True
    """Whether it can be known that ``x * x`` uses x twice."""
    driver: str = "backward"
    works: bool = True
    """Whether its backward leaves the right gradients."""

    def __repr__(self) -> str:
        return self.name
