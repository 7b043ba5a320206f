"""`python -m relaylogic` is the command line."""

from .cli import main

main()
