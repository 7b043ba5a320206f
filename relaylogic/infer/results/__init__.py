"""What inference says of a program, how it came to it, and why."""
