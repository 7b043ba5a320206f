"""What the engine speaks of: terms, numbers in normal form, and the variables in them."""
