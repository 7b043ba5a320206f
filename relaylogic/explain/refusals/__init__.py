"""Why something is refused, in words: the premise that failed, and in what two types differ."""
