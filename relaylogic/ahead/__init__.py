"""What takes long to make is made ahead, when the package is installed: for usual calls, which are listed here."""
