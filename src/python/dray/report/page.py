"""A page as one HTML file that contains its style, script and plotting library."""

import html
import pathlib
import string
from collections.abc import Sequence

from dray.report.parts import Tab, Tabs

FOLDER = pathlib.Path(__file__).resolve().parent
LIBRARY = FOLDER.parent / "vendor" / "plotly-basic.min.js"

# The browser itself sees to it that nothing is loaded from elsewhere.
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"


def page_text(title: str, tabs: Sequence[Tab]) -> str:
    """Returns the whole page as HTML."""
    return string.Template((FOLDER / "page.html").read_text()).substitute(
        policy=html.escape(POLICY),
        title=html.escape(title),
        style=(FOLDER / "page.css").read_text(),
        tabs=Tabs(tabs).html(),
        library=LIBRARY.read_text(),
        program=(FOLDER / "page.js").read_text(),
    )
