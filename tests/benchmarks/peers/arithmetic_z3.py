"""Equations over the naturals, by Z3 with blocking clauses: problem, solutions, CPU seconds (20 s at most each)."""

import time

import z3

LIMIT = 20.0
n, m, k, a, b, c, d, e = z3.Ints("n m k a b c d e")
PROBLEMS = {
    "squares": ((n, m), [n * n + m * m == 25]),
    "cubes": ((a, b), [a * a * a + b * b * b == 1729]),
    "pythagoras": ((n, m, k), [n * n + m * m == k * k, n >= 1, n <= m, k <= 200]),
    "product": ((a, b, c, d, e), [a * b * c * d * e == 30030]),
    "total": ((a, b, c, d), [a + b + c + d == 100]),
}


def count(variables, demands):
    """How many solutions are found within the limit."""
    solver = z3.Solver()
    solver.set("timeout", int(LIMIT * 1000))
    solver.add(*demands, *(v >= 0 for v in variables))
    start, found = time.process_time(), 0
    while time.process_time() - start < LIMIT and solver.check() == z3.sat:
        model = solver.model()
        found += 1
        solver.add(z3.Or(*(v != model.eval(v, model_completion=True) for v in variables)))
    return found


for name, (variables, demands) in PROBLEMS.items():
    start = time.process_time()
    number = count(variables, demands)
    print(name, number, f"{time.process_time() - start:.6f}", flush=True)
