"""What the tests of replay and of export share: the truth, and where it is hard to hit."""

import math

from random_programs import largest, largest_grad, ours, run

from glassgrad import Value
from glassgrad.engine.backward import topological_order
from glassgrad.engine.ops import PRIMITIVES

ROWS = sorted(name for name, row in PRIMITIVES.items() if not row.variadic)
EDGES = [0.0, -0.0, 1.0, -1.0, 2.0, 0.5, -0.5, 3.0, 400.0, -400.0, 1e3, -1e3, 1e-20, 1e200, -1e200]
EDGES += [math.inf, -math.inf, math.nan]
FEW_EDGES = [0.0, 1.0, -1.0, 2.0, math.inf, math.nan]


def eager(steps, row):
    """Return value, gradient and the largest number on the way; inf where they are not finite."""
    leaves = [Value(x) for x in row]
    root = run(leaves, steps, ours)
    root.backward()
    values = topological_order(root)
    is_finite = all(math.isfinite(value.data + value.grad) for value in values)
    scale = max(1.0, largest(root), largest_grad(root)) if is_finite else math.inf
    return root.data, [leaf.grad for leaf in leaves], scale
