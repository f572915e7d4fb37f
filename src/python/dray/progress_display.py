"""Shows the progress of a training: a bar in a notebook, a line rewritten in place in a terminal, else nothing."""

import html
import shutil
import sys
from typing import Any


class Silent:
    """Shows nothing."""

    def show(self, share: float, words: str) -> None:
        """Shows the completed share of the training, from 0 to 1, and a line about it."""

    def close(self) -> None:
        """Leaves what is shown as it is."""


class TerminalLine(Silent):
    """A line of the terminal."""

    def show(self, share: float, words: str) -> None:
        columns = shutil.get_terminal_size((80, 24)).columns
        print(f"\r\x1b[K{words[: columns - 1]}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        print(file=sys.stderr, flush=True)


class NotebookBar(Silent):
    """A bar below a notebook's cell."""

    def __init__(self) -> None:
        self._shown: Any = None

    def show(self, share: float, words: str) -> None:
        from IPython.display import display

        bar = f'<progress max="1" value="{share:.4f}" style="width: 20em"></progress> <code>{html.escape(words)}</code>'
        drawn = {"text/plain": words, "text/html": bar}
        if self._shown is None:
            self._shown = display(drawn, raw=True, display_id=True)
        else:
            self._shown.update(drawn, raw=True)


def here() -> Silent:
    """Returns the display that suits where this process runs."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if getattr(shell, "kernel", None) is not None:
        return NotebookBar()
    return TerminalLine() if sys.stderr is not None and sys.stderr.isatty() else Silent()
