"""Reads and writes the CSV file of scripts/scaling.py, and makes Markdown tables of medians from it."""

import csv
import math
import os

from measuring import machine_text, range_text, spread
from scaling_parts import GROWTH

ROLLOUT, END_TO_END, REST = "rollout_samples_per_s", "samples_per_s", "not_learning_samples_per_s"
WHOLE = ("envs", "workers", "repeat", "epochs", "samples_per_epoch")
NUMBERS = (
    "epoch_s",
    END_TO_END,
    ROLLOUT,
    REST,
    "rollout_s",
    "transfer_s",
    "learn_s",
    "weights_s",
    "shard_busy",
    "learner_busy",
    "batches_dropped",
    "memory_mb",
    "rollout_mb",
)
COLUMNS = ("part", "name", "runner", *WHOLE, *NUMBERS, "error", "date", "machine", "command")
DEFINITIONS = (
    "Numbers are the median (smallest - largest) of the repeats; a run's first epoch warms up and does not count. "
    "samples/s: environment steps / wall-clock time of training, from one epoch's report to the last one's, without evaluation. "
    "rollout samples/s: environment steps / time/rollout_s (configs/METRICS.md). "
    "outside learning: as samples/s, of the time without time/learn_s. "
    "speed-up: samples/s of the row / samples/s of the runner's row with the fewest environments (of these, the fewest workers). "
    "efficiency: speed-up / (environments of the row / environments of that first row); 100 % is as many samples per second and "
    "environment as there. memory: resident memory, largest of all reports, of the training process and its actors together "
    "(pages that they share count in each). rollout MB: the batches of one epoch. "
    "a / b: the ratio of the medians (the smallest - largest ratio of runs of the same repeat)."
)


def read_rows(path):
    """Reads the rows of an earlier run of the script; none if there is no file."""
    if not path.exists():
        return []
    with open(path, newline="") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != COLUMNS:
            raise SystemExit(f"error: {path} has different columns: give another --out")
        return [parsed(row, path) for row in reader]


def parsed(row, path):
    try:
        for name in WHOLE:
            row[name] = int(row[name]) if row[name] else None
        for name in NUMBERS:
            row[name] = float(row[name]) if row[name] else math.nan
    except (TypeError, ValueError):
        raise SystemExit(f"error: {path} has a row that this script did not write: give another --out") from None
    return row


def write_rows(path, rows):
    """Replaces the whole file atomically, so that readers see the old or the new one."""
    aside = path.with_name(path.name + ".new")
    with open(aside, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        for row in rows:
            writer.writerow({name: cell(row.get(name)) for name in COLUMNS})
    os.replace(aside, path)


def cell(value):
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return f"{value:.6g}" if isinstance(value, float) else value


def with_row(rows, new):
    """Returns the rows with this one replacing the one for the same command and repeat."""

    def same(row):
        return (row["command"], row["repeat"]) == (new["command"], new["repeat"])

    if not any(same(row) for row in rows):
        return [*rows, new]
    return [new if same(row) else row for row in rows]


def is_done(rows, command, repeat):
    return any((row["command"], row["repeat"]) == (command, repeat) and not row["error"] for row in rows)


def figures(rows, name):
    return spread([row[name] for row in rows if not row["error"]])


def table(heads, lines, left=1):
    """Returns a Markdown table whose first `left` columns are text and the rest numbers."""
    rule = "| --- " * left + "| ---: " * (len(heads) - left) + "|"
    return ["| " + " | ".join(heads) + " |", rule, *("| " + " | ".join(cells) + " |" for cells in lines)]


def markdown(rows, machine):
    lines = ["# Scaling", "", f"Measured by `scripts/scaling.py` on {machine_text(machine)}. {DEFINITIONS}"]
    for part in dict.fromkeys(row["part"] for row in rows):
        mine = [row for row in rows if row["part"] == part]
        if part in PART_TABLES:
            named = {row["name"]: [other for other in mine if other["name"] == row["name"]] for row in mine}
            lines += ["", f"## {part}", "", *PART_TABLES[part](named), "", "Commands:", ""]
            lines += [f"    {runs[0]['command']}" for runs in named.values()]
        else:
            lines += ["", f"## `train {part}`", "", *environments_table(summarise(mine))]
        failed = [f"- {row['name']}, repeat {row['repeat']}: {row['error']}" for row in mine if row["error"]]
        lines += ["", "Failed:", "", *failed] if failed else []
    return "\n".join(lines) + "\n"


def summarise(rows):
    """Returns one entry per command of the table over environments, with its speed-ups; failed runs have none."""
    groups = {}
    for row in rows:
        if not row["error"] and row["part"] not in PART_TABLES:
            groups.setdefault((row["part"], row["command"]), []).append(row)
    entries = []
    for (part, command), mine in groups.items():
        entry = {name: mine[0][name] for name in ("runner", "envs", "workers", "samples_per_epoch", "rollout_mb")}
        entry.update(part=part, command=command, repeats=len(mine))
        entry.update({name: figures(mine, name) for name in ("epoch_s", END_TO_END, ROLLOUT, "memory_mb")})
        entries.append(entry)
    entries.sort(key=lambda entry: (entry["part"], entry["runner"], entry["envs"], entry["workers"]))
    for entry in entries:
        # The list is sorted: the first entry of a part and runner is the smallest.
        first = next(e for e in entries if (e["part"], e["runner"]) == (entry["part"], entry["runner"]))
        for rate, prefix in ((END_TO_END, ""), (ROLLOUT, "rollout_")):
            speed_up = entry[rate]["median"] / first[rate]["median"]
            entry[prefix + "speed_up"] = speed_up
            entry[prefix + "efficiency"] = speed_up / (entry["envs"] / first["envs"])
    return entries


def growth(rows):
    """Returns the plotted figures by growth experiment and size."""
    parts = {}
    for row in rows:
        if row["part"] in GROWTH and not row["error"]:
            parts.setdefault(GROWTH[row["part"]], {}).setdefault(int(row["name"]), []).append(row)
    names = (END_TO_END, "epoch_s", "memory_mb")
    return {
        what: {size: {name: figures(runs, name) for name in names} for size, runs in sorted(sizes.items())}
        for what, sizes in parts.items()
    }


def environments_table(entries):
    heads = (
        "runner",
        "envs",
        "workers",
        "samples/epoch",
        "epoch time, s",
        "samples/s",
        "speed-up",
        "efficiency",
        "rollout samples/s",
        "speed-up",
        "efficiency",
        "memory, MB",
        "rollout MB",
    )
    return table(
        heads,
        [
            (
                entry["runner"],
                str(entry["envs"]),
                str(entry["workers"]),
                f"{entry['samples_per_epoch']:,}",
                range_text(entry["epoch_s"], 3),
                range_text(entry[END_TO_END], 0),
                f"{entry['speed_up']:.2f}",
                f"{entry['efficiency']:.0%}",
                range_text(entry[ROLLOUT], 0),
                f"{entry['rollout_speed_up']:.2f}",
                f"{entry['rollout_efficiency']:.0%}",
                f"{entry['memory_mb']['max']:,.0f}",
                f"{entry['rollout_mb']:.3g}",
            )
            for entry in entries
        ],
    )


def ratio(over, under, name):
    """Returns the ratio of the medians, and the spread of the ratios of single repeats, which ran one after the other."""
    others = {row["repeat"]: row[name] for row in under if not row["error"]}
    pairs = [row[name] / others[row["repeat"]] for row in over if not row["error"] and row["repeat"] in others]
    return {**spread(pairs), "median": figures(over, name)["median"] / figures(under, name)["median"]}


def comparison(title, named, base, columns, extra=()):
    """Returns one line per name, and one per name against the base: the ratio of medians, and the ratios of single repeats."""
    heads = {
        ROLLOUT: "rollout samples/s",
        REST: "outside learning, samples/s",
        END_TO_END: "end to end, samples/s",
        "memory_mb": "memory, MB",
    }
    lines = [
        (name, *(range_text(figures(rows, column), 0) for column in (*columns, *extra))) for name, rows in named.items()
    ]
    lines += [
        (
            f"{name} / {base}",
            *(range_text(ratio(rows, named[base], column), 2) for column in columns),
            *("" for _ in extra),
        )
        for name, rows in named.items()
        if name != base and base in named
    ]
    return [title + ".", "", *table(["", *(heads[column] for column in (*columns, *extra))], lines)]


def two_core_table(named):
    title = "The Ray runner against the local one, 64 environments in 2 shards"
    return comparison(title, named, "local", (ROLLOUT, REST, END_TO_END), ["memory_mb"])


def workers_table(named):
    title = "4 workers of 8 environments on Ray against 32 environments in one process on one thread"
    return comparison(title, named, "one process", (ROLLOUT,))


def async_table(named):
    lines = comparison("Asynchronous against synchronous", named, "synchronous", (END_TO_END,))
    rollout_s, learn_s = (
        range_text(figures(named.get("synchronous", []), name), 3) for name in ("rollout_s", "learn_s")
    )
    dropped = ", ".join(f"{name} {range_text(figures(rows, 'batches_dropped'), 0)}" for name, rows in named.items())
    return [
        *lines,
        "",
        f"One synchronous epoch: rollouts {rollout_s} s, learning {learn_s} s. "
        f"Batches dropped as too old, which do not count as samples: {dropped}.",
    ]


def shards_table(title):
    def lines_of(named):
        names = [name.split() for name in named]
        runners, counts = (list(dict.fromkeys(column)) for column in zip(*names))
        heads = [head for runner in runners for head in (f"{runner}, rollout samples/s", "efficiency")]
        lines = []
        for count in counts:
            cells = [count, next(str(rows[0]["envs"]) for name, rows in named.items() if name.split()[1] == count)]
            for runner in runners:
                rate, first = (figures(named.get(f"{runner} {number}", []), ROLLOUT) for number in (count, counts[0]))
                share = rate["median"] / first["median"] / (int(count) / int(counts[0]))
                cells += [range_text(rate, 0), "n/a" if math.isnan(share) else f"{share:.0%}"]
            lines.append(cells)
        return [
            title + "; efficiency: samples/s / (shards × samples/s of one shard).",
            "",
            *table(["shards", "envs", *heads], lines, left=0),
        ]

    return lines_of


def growth_table(what):
    def lines_of(named):
        first = figures(next(iter(named.values())), END_TO_END)["median"]
        lines = [
            (
                name,
                range_text(figures(rows, END_TO_END), 0),
                f"{figures(rows, END_TO_END)['median'] / first:.2f}",
                range_text(figures(rows, "epoch_s"), 3),
                range_text(figures(rows, ROLLOUT), 0),
                f"{figures(rows, 'memory_mb')['max']:,.0f}",
            )
            for name, rows in named.items()
        ]
        heads = (what, "samples/s", "of the first row", "epoch time, s", "rollout samples/s", "memory, MB")
        return table(heads, lines, left=0)

    return lines_of


PART_TABLES = {
    "two_core": two_core_table,
    "workers": workers_table,
    "shards": shards_table("Shards of as many environments each"),
    "strong": shards_table("As many environments in more shards"),
    "async": async_table,
    **{part: growth_table(what) for part, what in GROWTH.items()},
}
