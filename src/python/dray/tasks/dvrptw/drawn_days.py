"""Pictures of delivery days. Tabs switch between policies in place, so that differences catch the eye."""

import pathlib
import re
from collections.abc import Mapping, Sequence

from dray.report.drawing import Picture
from dray.report.parts import Tab, Tabs
from dray.tasks.dvrptw.words import policy_of

Pictures = dict[str, dict[str, pathlib.Path]]  # files by policy and kind
Day = tuple[pathlib.Path, int]  # folder of an evaluation and number of the day

PICTURE = re.compile(r"episode_(\d+)_(.+)_(routes|gantt)\.svg")
CLOCK = (
    "One row per vehicle. Bars: what it does and carries; windows: when each stop may be served, lighter as "
    "first requested."
)
MAP = "Square: depot; filled: pickups; rings: dropoffs. One colour per vehicle."


def days_drawn(files: Sequence[pathlib.Path]) -> dict[Day, Pictures]:
    found: dict[Day, Pictures] = {}
    for file in files:
        if match := PICTURE.fullmatch(file.name):
            found.setdefault((file.parent, int(match[1])), {}).setdefault(match[2], {})[match[3]] = file
    return found


def drawn_tabs(drawn: Mapping[Day, Pictures], named: Mapping[int, str], references: Sequence[str]) -> Tabs:
    """Shows named days first, in the order of their names, then the others."""
    place = {day: i for i, day in enumerate(named)}
    ordered = sorted(drawn.items(), key=lambda item: (place.get(item[0][1], len(place)), item[0][1]))
    tabs = []
    for number, ((_, day), pictures) in enumerate(ordered, 1):
        title = f"Day {day}, {named[day]}" if day in named else f"Day {day}"
        tabs.append(Tab(title, [policy_tabs(title, pictures, references, f"day-{number}-policy")]))
    return Tabs(tabs, "day")


def policy_tabs(title: str, pictures: Pictures, references: Sequence[str], address: str) -> Tabs:
    policies = sorted(pictures, key=lambda policy: (policy != "learned", policy in references, policy))
    reference = next((policy for policy in references if policy in pictures), None)
    tabs = []
    for policy in policies:
        other = reference if policy != reference else policies[0] if len(policies) > 1 else None
        parts = []
        for kind, what, reading in (("routes", "on the map", MAP), ("gantt", "along the clock", CLOCK)):
            file = pictures[policy].get(kind)
            compared = pictures[other].get(kind) if other and kind == "routes" else None
            if compared:
                reading += f" Grey: the same as {policy_of(other or '').title}."
            if file:
                parts.append(Picture(file, f"{title}: {policy_of(policy).title}, {what}", reading, compared))
        tabs.append(Tab(policy_of(policy).title, parts))
    return Tabs(tabs, address)
