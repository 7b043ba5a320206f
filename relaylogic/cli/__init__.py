"""The command line: commands, how they read, print and end. No other room knows this one."""
