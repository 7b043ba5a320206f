"""The command line: commands, how they read, print and end. Nothing else prints; no other room knows this one."""
