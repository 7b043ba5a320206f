"""Goals that may have to wait: of numbers, of lists, of what is not known yet."""
