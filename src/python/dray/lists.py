"""The tables of `dray envs` and `dray configs`, from the engine and the files of the presets."""

import pathlib
import re
import textwrap
from collections.abc import Mapping, Sequence

from dray import batch, places
from dray.gym_ids import ids
from dray.report.command_words import program
from dray.report.number_text import counted


def environments(columns: int) -> str:
    """Returns the table of `dray envs`, for a terminal of `columns` columns."""
    rows, identifiers = [], ids()
    for name in batch.names():
        envs = batch.Batch(name)
        spec = envs.spec
        envs.close()
        actions = (
            f"{spec['actions']} choices"
            if "actions" in spec
            else f"{len(spec['low'])} number{'s' * (len(spec['low']) > 1)}"
        )
        rows.append([name, f"{spec['observation_size']:,}", actions, identifiers.get(name, ""), spec["description"]])
    heading = ["environment", "observation", "actions", "Gymnasium", "what it is"]
    reference = places.configs() / "REFERENCE.md"
    note = f"Sizes are those of the default settings. Settings, by env.<environment>: {reference if places.is_wheel() else 'configs/REFERENCE.md'}"
    return _table([heading, *rows], columns) + f"\n{note}\n"


def configs(columns: int) -> str:
    """Returns the table of `dray configs`, for a terminal of `columns` columns."""
    rows = []
    for name, path in batch.presets().items():
        trained = batch.trained_by(path)
        count = trained["num_envs"]
        rows.append(
            [name, trained["env"], f"{count:,}" if count else "auto", _limit(trained["limits"]), first_clause(path)]
        )
    heading = ["preset", "environment", "envs", "trains for", "what it is"]
    return (
        _table([heading, *rows], columns)
        + f"\nUse one: {program('train')} --config PRESET. All of its settings: the same with --dry-run.\n"
    )


def first_clause(path: pathlib.Path) -> str:
    """Returns the first clause of the comment at the top of a preset."""
    words = []
    for line in path.read_text().splitlines():
        if not line.startswith("# "):
            break
        words += line[2:].split()
    return re.split(r"[:;.](?: |$)", " ".join(words))[0]


def _limit(limits: Mapping[str, float]) -> str:
    names = {"epochs": "epoch", "total_steps": "step", "episodes": "episode"}
    parts = [counted(limits[key], word) for key, word in names.items() if key in limits]
    if "duration_s" in limits:
        parts.append(f"{limits['duration_s'] / 60:g} min")
    return ", ".join(parts)


def _table(rows: Sequence[Sequence[str]], columns: int) -> str:
    """Formats a table whose last column is wrapped to the rest of the line."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    indent = sum(widths) + 2 * len(widths)
    lines = []
    for row in rows:
        begin = "".join(f"{cell:{width}}  " for cell, width in zip(row, widths))
        told = textwrap.wrap(row[-1], max(24, columns - indent)) or [""]
        lines += [(begin + told[0]).rstrip(), *(" " * indent + line for line in told[1:])]
    return "\n".join(lines) + "\n"
