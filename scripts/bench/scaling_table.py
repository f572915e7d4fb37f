"""The rows of scripts/scaling.py: their CSV file, and the Markdown table of medians made from it."""

import csv
import math
import os
import pathlib

from measuring import machine_text, range_text, spread

WHOLE = ("envs", "workers", "repeat", "epochs", "samples_per_epoch")
NUMBERS = (
    "epoch_s", "samples_per_s", "rollout_samples_per_s", "rollout_s", "transfer_s", "learn_s", "weights_s", "shard_busy",
    "learner_busy", "memory_mb", "rollout_mb")
COLUMNS = ("runner", *WHOLE, *NUMBERS, "error", "date", "machine", "settings", "command")
DEFINITIONS = (
    "Numbers are the median (smallest - largest) of the repeats; a run's first epoch warms up and does not count. "
    "samples/s: environment steps / wall-clock time of training, from one epoch's report to the last one's, without evaluation. "
    "rollout samples/s: environment steps / time/rollout_s (configs/METRICS.md). "
    "speed-up: samples/s of the row / samples/s of the runner's row with the fewest environments (of these, the fewest workers). "
    "efficiency: speed-up / (environments of the row / environments of that first row); 100 % is as many samples per second and "
    "environment as there. memory: resident memory, largest of all reports, of the training process and its actors together "
    "(pages that they share count in each). rollout MB: the batches of one epoch.")


def read_rows(path):
    """The rows of an earlier run of the same script, as they were written; none when there is no such file."""
    if not path.exists():
        return []
    with open(path, newline="") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != COLUMNS:
            raise SystemExit(f"error: {path} has other columns than this script writes: give another --out")
        return [parsed(row, path) for row in reader]


def parsed(row, path):
    try:
        for name in WHOLE:
            row[name] = int(row[name]) if row[name] else None
        for name in NUMBERS:
            row[name] = float(row[name]) if row[name] else math.nan
    except (TypeError, ValueError):
        raise SystemExit(f"error: {path} has a row that is not this script's: give another --out") from None
    return row


def write_rows(path, rows):
    """The whole file at once: whoever reads it, or ends this script, finds the old one or the new one."""
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
    """The rows with this one in the place of the one for the same command and repeat."""
    same = lambda row: (row["command"], row["repeat"]) == (new["command"], new["repeat"])
    if not any(same(row) for row in rows):
        return [*rows, new]
    return [new if same(row) else row for row in rows]


def is_done(rows, command, repeat):
    return any((row["command"], row["repeat"]) == (command, repeat) and not row["error"] for row in rows)


def summarise(rows):
    """One entry per settings and command, with its speed-ups; runs that failed have none."""
    groups = {}
    for row in rows:
        if not row["error"]:
            groups.setdefault((row["settings"], row["command"]), []).append(row)
    entries = []
    for (settings, command), mine in groups.items():
        entry = {name: mine[0][name] for name in ("runner", "envs", "workers", "samples_per_epoch", "rollout_mb")}
        entry.update(settings=settings, command=command, repeats=len(mine))
        for name in ("epoch_s", "samples_per_s", "rollout_samples_per_s", "memory_mb"):
            entry[name] = spread([row[name] for row in mine])
        entries.append(entry)
    entries.sort(key=lambda entry: (entry["settings"], entry["runner"], entry["envs"], entry["workers"]))
    for entry in entries:
        # Sorted: the first of its settings and runner is the smallest.
        first = next(e for e in entries if (e["settings"], e["runner"]) == (entry["settings"], entry["runner"]))
        for rate, prefix in (("samples_per_s", ""), ("rollout_samples_per_s", "rollout_")):
            speed_up = entry[rate]["median"] / first[rate]["median"]
            entry[prefix + "speed_up"] = speed_up
            entry[prefix + "efficiency"] = speed_up / (entry["envs"] / first["envs"])
    return entries


def markdown(rows, machine):
    entries = summarise(rows)
    lines = ["# Scaling", "", f"Measured by `scripts/scaling.py` on {machine_text(machine)}. {DEFINITIONS}"]
    for settings in dict.fromkeys(row["settings"] for row in rows):
        mine = [entry for entry in entries if entry["settings"] == settings]
        lines += ["", f"## `train {settings}`", ""]
        lines += [
            "| runner | envs | workers | samples/epoch | epoch time, s | samples/s | speed-up | efficiency "
            "| rollout samples/s | speed-up | efficiency | memory, MB | rollout MB |",
            "| --- |" + " ---: |" * 12,
        ]
        lines += [table_line(entry) for entry in mine]
        failed = [row for row in rows if row["settings"] == settings and row["error"]]
        if failed:
            lines += ["", "Failed:", ""]
            lines += [f"- {row['runner']}, {row['envs']} environments, repeat {row['repeat']}: {row['error']}" for row in failed]
    return "\n".join(lines) + "\n"


def table_line(entry):
    return (
        f"| {entry['runner']} | {entry['envs']} | {entry['workers']} | {entry['samples_per_epoch']:,} "
        f"| {range_text(entry['epoch_s'], 3)} | {range_text(entry['samples_per_s'], 0)} "
        f"| {entry['speed_up']:.2f} | {entry['efficiency']:.0%} | {range_text(entry['rollout_samples_per_s'], 0)} "
        f"| {entry['rollout_speed_up']:.2f} | {entry['rollout_efficiency']:.0%} "
        f"| {entry['memory_mb']['max']:,.0f} | {entry['rollout_mb']:.3g} |")
