"""States: what is bound, what waits, and the goals that go from one state to the next."""
