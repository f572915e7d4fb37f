"""Parts of a page: tabs, sections, figures, tables and text. All text is escaped here and in drawing.py, nowhere else."""

import dataclasses
import html
import json
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar


class Part(Protocol):
    """Anything a page shows."""

    def html(self) -> str: ...


MadePart = TypeVar("MadePart", bound=Part)


@dataclasses.dataclass
class Section:
    title: str
    parts: Sequence[Part]
    intro: str = ""

    def html(self) -> str:
        intro = f"<p>{html.escape(self.intro)}</p>" if self.intro else ""
        return f"<section><h2>{html.escape(self.title)}</h2>{intro}{joined(self.parts)}</section>"


@dataclasses.dataclass
class Tab:
    title: str
    parts: Sequence[Part]


@dataclasses.dataclass
class Tabs:
    """Panels of which one is shown at a time; all of them on paper. `address` begins the #address of each panel and is
    the only one of this page; empty: panels are named by their titles.
    """

    tabs: Sequence[Tab]
    address: str = ""

    def html(self) -> str:
        if len(self.tabs) == 1:
            return joined(self.tabs[0].parts)
        links, panels = [], []
        for index, tab in enumerate(self.tabs, 1):
            address, title = html.escape(self._address_of(tab, index)), html.escape(tab.title)
            links.append(f'<a role="tab" href="#{address}" aria-controls="{address}">{title}</a>')
            panels.append(
                f'<div role="tabpanel" id="{address}" aria-label="{title}" data-title="{title}">{joined(tab.parts)}</div>'
            )
        return f'<div class="tabs"><div role="tablist">{"".join(links)}</div>{"".join(panels)}</div>'

    def _address_of(self, tab: Tab, index: int) -> str:
        return f"{self.address}-{index}" if self.address else tab.title.lower().replace(" ", "-")


@dataclasses.dataclass
class Figure:
    """A plot: traces and layout are plotly's. `reading` says how to read it, `keys` what metrics.jsonl calls it."""

    title: str
    reading: str
    traces: list[dict[str, Any]]
    layout: dict[str, Any] = dataclasses.field(default_factory=dict)
    height: int = 340
    keys: Sequence[str] = ()

    def html(self) -> str:
        plot = json.dumps(plain({"data": self.traces, "layout": self.layout}), separators=(",", ":"), allow_nan=False)
        plot = plot.replace("<", "\\u003c")  # nothing in the data can end the script element
        return (
            f"<figure><h3>{html.escape(self.title)}</h3>"
            f'<div class="plot" style="height:{self.height}px" role="img" aria-label="{html.escape(self.title)}">'
            f'<script type="application/json">{plot}</script></div>'
            f"<figcaption>{html.escape(self.reading)}{keys_html(self.keys)}</figcaption></figure>"
        )


@dataclasses.dataclass
class Tile:
    """Numbers in the place of a figure that would show a single point: (name, value)."""

    title: str
    reading: str
    numbers: Sequence[tuple[str, str]]
    keys: Sequence[str] = ()

    def html(self) -> str:
        names = len(self.numbers) > 1
        values = "".join(
            f'<div class="value">{html.escape(value)}{f" <small>{html.escape(name)}</small>" if names else ""}</div>'
            for name, value in self.numbers
        )
        return (
            f'<figure class="tile"><h3>{html.escape(self.title)}</h3>{values}'
            f"<figcaption>{html.escape(self.reading)}{keys_html(self.keys)}</figcaption></figure>"
        )


def keys_html(keys: Sequence[str]) -> str:
    return "".join(f" <code>{html.escape(key)}</code>" for key in keys)


@dataclasses.dataclass
class Grid:
    """Small figures and tiles side by side."""

    figures: Sequence[Figure | Tile]

    def html(self) -> str:
        return f'<div class="grid">{joined(self.figures)}</div>' if self.figures else ""


@dataclasses.dataclass
class Table:
    """A table. The first column has names; the others are numbers, unless `texts` names them."""

    headings: Sequence[str]
    rows: Sequence[Sequence[object]]
    reading: str = ""
    texts: tuple[int, ...] = ()

    def html(self) -> str:
        kind = ["" if i == 0 or i in self.texts else ' class="number"' for i in range(len(self.headings))]
        head = "".join(f"<th{kind[i]}>{html.escape(text)}</th>" for i, text in enumerate(self.headings))
        body = "".join(
            "<tr>" + "".join(f"<td{kind[i]}>{html.escape(str(text))}</td>" for i, text in enumerate(row)) + "</tr>"
            for row in self.rows
        )
        caption = f'<p class="reading">{html.escape(self.reading)}</p>' if self.reading else ""
        return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{caption}'


@dataclasses.dataclass
class Text:
    text: str
    note: bool = False

    def html(self) -> str:
        return f"<p{' class=note' if self.note else ''}>{html.escape(self.text)}</p>"


@dataclasses.dataclass
class Commands:
    """Commands to type, with their purpose."""

    lines: Sequence[tuple[str, str]]  # (what for, command)

    def html(self) -> str:
        rows = "".join(
            f"<dt>{html.escape(what)}</dt><dd><code>{html.escape(line)}</code></dd>" for what, line in self.lines
        )
        return f'<dl class="commands">{rows}</dl>'


@dataclasses.dataclass
class Folded:
    """A long text that opens on a click."""

    title: str
    text: str

    def html(self) -> str:
        return f"<details><summary>{html.escape(self.title)}</summary><pre>{html.escape(self.text)}</pre></details>"


@dataclasses.dataclass
class Cards:
    """The most important numbers: (name, value, remark)."""

    cards: Sequence[tuple[str, str, str]]

    def html(self) -> str:
        text = "".join(
            f'<div class="card"><div class="name">{html.escape(name)}</div><div class="value">{html.escape(value)}</div>'
            f'<div class="remark">{html.escape(remark)}</div></div>'
            for name, value, remark in self.cards
        )
        return f'<div class="cards">{text}</div>'


# Errors that damaged files, or files of another version, can cause.
UNUSABLE = (ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError)


def made(notes: list[str], make: Callable[..., MadePart | None], *arguments: Any) -> MadePart | None:
    """Calls `make`. Returns None and adds a note if a file that it shows is damaged or of another version."""
    try:
        part = make(*arguments)
        if part is not None:
            part.html()
        return part
    except UNUSABLE as error:
        notes.append(
            f"{make.__name__}: left out, because a file has an unexpected format ({type(error).__name__}: {error})"
        )
        return None


def joined(parts: Iterable[Part]) -> str:
    return "".join(part.html() for part in parts)


def plain(value: Any) -> Any:
    """Converts a value to strict JSON: null for numbers that are not finite, six digits for the others."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return float(f"{value:.6g}") if math.isfinite(value) else None
    return value
