"""Systems of polynomial constraints over integers in intervals: bounds, counts, lists.

The room of purely arithmetic problems; others enter it by what it exports only. It narrows bounds (`hull`,
`lattice`, `forms`), falls apart into components, counts those that are sums or products by formula or table (`sums`,
`products`), and searches the others with compiled functions on plain integers (`levels`, `walk`).

What makes it fast: the state of a search is not the values given so far but what the rest depends on (`residual`), so
a count joins what comes to the same; the last variable of a constraint is solved for; what divides is factored.
"""

from .drawing import drawn
from .least import least_sum, lowest, of_least_sum
from .polynomials import Constraint, Poly
from .system import System

__all__ = ["Constraint", "Poly", "System", "drawn", "least_sum", "lowest", "of_least_sum"]
