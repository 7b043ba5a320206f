"""The rule base: what holds of the types of Relay's operators, one family per file."""
