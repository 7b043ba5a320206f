"""Minimal sets of places that cannot hold together, and of places without which the rest does."""
