"""What a program says, place by place: which places there are, what they tie together, what types come from."""
