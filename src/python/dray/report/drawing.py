"""Drawings that Dray's programs wrote as SVG, put into a page in its own colours.

Inside the page a drawing follows light and dark mode and shows its tooltips. Only known shapes and attributes are taken
over, so that nothing in a file can run, load anything or reach the page.
"""

import dataclasses
import html
import pathlib
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Collection

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {f"{SVG}{tag}" for tag in ("g", "rect", "circle", "line", "path", "polygon", "text", "title")}
ATTRIBUTES = frozenset(
    "class cx cy d dx dy fill font-size font-weight height opacity points r stroke stroke-dasharray stroke-linejoin"
    " stroke-width text-anchor transform width x x1 x2 y y1 y2".split()
)
# Colours of paper and ink. All others tell things apart and stay as they are.
PAGE_COLOURS = {
    **dict.fromkeys(("#fdfdfb", "#ffffff", "white"), "--raised"),
    **dict.fromkeys(("#e9e9e5", "#f3f3f3"), "--ground"),
    **dict.fromkeys(("#d8d8d4", "#e4e4e0", "#c8c8c4", "#dddddd"), "--rule"),
    **dict.fromkeys(("#555555", "#666666", "#777777", "#888888"), "--quiet"),
    **dict.fromkeys(("#000000", "#222222", "black"), "--ink"),
    "#1f5fa8": "--accent",
    **dict.fromkeys(("#b00020", "#7b1e12"), "--alarm"),
}

Shape = ElementTree.Element
Classes = Callable[[Shape], str]  # further classes of a shape


def shapes_of(file: pathlib.Path) -> Shape:
    """Parses a drawing. Raises a ValueError if it is none."""
    data = file.read_bytes()
    if b"<!DOCTYPE" in data:  # an entity may stand for more text than fits into memory
        raise ValueError("it has a document type")
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise ValueError(str(error)) from None
    if root.tag != f"{SVG}svg":
        raise ValueError("it is no SVG")
    return root


def drawing_html(root: Shape, title: str, classes: Classes = lambda shape: "") -> str:
    """Returns a drawing as an element of the page."""
    box = root.get("viewBox") or f"0 0 {root.get('width', 1)} {root.get('height', 1)}"
    inside = "".join(shape_html(shape, classes) for shape in root if shape.tag != f"{SVG}title")
    return (
        f'<svg class="drawing" viewBox="{html.escape(box)}" role="img" aria-label="{html.escape(title)}">{inside}</svg>'
    )


def shape_html(shape: Shape, classes: Classes) -> str:
    if shape.tag not in SHAPES:
        return ""
    tag = shape.tag.removeprefix(SVG)
    given = {name: value for name, value in shape.attrib.items() if name in ATTRIBUTES}
    style = "".join(
        f"{name}:var({PAGE_COLOURS[given.pop(name)]});"
        for name in ("fill", "stroke")
        if given.get(name) in PAGE_COLOURS
    )
    if style:
        given["style"] = style
    if further := classes(shape):
        given["class"] = f"{given.get('class', '')} {further}".strip()
    attributes = "".join(f' {name}="{html.escape(value)}"' for name, value in given.items())
    inside = "".join(shape_html(child, classes) for child in shape)
    return f"<{tag}{attributes}>{html.escape(shape.text or '')}{inside}</{tag}>"


def legs_of(root: Shape) -> set[str]:
    """Returns the legs of a map of routes: where each begins and ends."""
    return {shape.get("d", "") for shape in root.iter() if shape.get("class") == "leg"}


def unchanged(root: Shape, others: Collection[str]) -> Classes:
    """Returns the function that marks what is the same on another map: its legs, their arrows and the stops between."""
    same = legs_of(root).intersection(others)
    marked: set[Shape] = set()
    leg_is_same = False
    ends: dict[tuple[str, ...], bool] = {}  # whether all legs of a stop are the same
    for shape in root.iter():
        if shape.get("class") == "leg":
            leg_is_same = shape.get("d") in same
            words = shape.get("d", "").split()
            for end in (tuple(words[1:3]), tuple(words[-2:])):
                ends[end] = ends.get(end, True) and leg_is_same
        if shape.get("class") in ("leg", "arrow") and leg_is_same:  # the arrow follows its leg
            marked.add(shape)
    marked.update(
        shape
        for shape in root.iter()
        if shape.get("class") == "stop" and ends.get((shape.get("cx", ""), shape.get("cy", "")))
    )
    return lambda shape: "same" if shape in marked else ""


@dataclasses.dataclass
class Picture:
    """An SVG file. Of a map of routes, `compared` is the same day's map of another policy: what both have is grey."""

    file: pathlib.Path
    title: str
    reading: str
    compared: pathlib.Path | None = None

    def html(self) -> str:
        try:
            root = shapes_of(self.file)
            same = unchanged(root, legs_of(shapes_of(self.compared))) if self.compared else lambda shape: ""
            drawn = f'<div class="wide">{drawing_html(root, self.title, same)}</div>'
        except ValueError as error:
            drawn = f'<p class="note">{html.escape(f"{self.file.name} cannot be shown: {error}")}</p>'
        return f"<figure><h3>{html.escape(self.title)}</h3>{drawn}<figcaption>{html.escape(self.reading)}</figcaption></figure>"
