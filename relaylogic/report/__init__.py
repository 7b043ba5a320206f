"""A report on a program: one page of HTML that needs nothing else.

It shows the program with its types, what is wrong with it, the derivation of each type, who calls whom, and the steps
of the inference. `marks` finds what in the text can be pointed at, `program` draws the text, `graph` the calls, `data`
says the rest to the script of the page, and `page` puts all of it together.
"""

from __future__ import annotations

from .page import report_page

__all__ = ["report_page"]
