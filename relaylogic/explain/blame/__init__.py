"""Which place of a conflict is wrong, most likely, and what was meant there."""
