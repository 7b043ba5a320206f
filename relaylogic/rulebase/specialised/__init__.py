"""Relations asked with all their inputs known: programs made of clauses, once for each mode."""
