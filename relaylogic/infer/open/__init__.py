"""What is done with types that stay open: generalised, claimed by a `where`, shown to have instances."""
