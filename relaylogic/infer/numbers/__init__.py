"""What call sites say of numbers that stay open, in solved form."""
