"""What forces a type: the smallest sets of places, whatever stands in the rest of the program."""
