"""The tables of scripts/bench/parallel.py, from its results."""

import math
import re

from measuring import machine_text, range_text, spread

ROLLOUT, END_TO_END, REST = "rollout_samples_per_s", "samples_per_s", "not_learning_samples_per_s"


def markdown(results):
    machine = results["machine"]
    lines = [
        f"Measured {machine['date']} by `scripts/bench/parallel.py` on {machine_text(machine)}; median (smallest - largest) of "
        f"{results['repeats']} interleaved repeats."
    ]
    for part, result in results["parts"].items():
        lines += ["", *PART_TABLES[part](result["rows"]), "", *commands(result["rows"]), *errors(result["rows"])]
    return "\n".join(lines) + "\n"


def figures(row, name):
    return spread([run[name] for run in row["runs"] if "error" not in run])


def ratio(rows, over, under, name):
    """Of the medians, and the spread of those of single repeats, which ran one after the other."""
    pairs = [
        mine[name] / other[name]
        for mine, other in zip(rows[over]["runs"], rows[under]["runs"])
        if "error" not in mine and "error" not in other
    ]
    return {**spread(pairs), "median": figures(rows[over], name)["median"] / figures(rows[under], name)["median"]}


def comparison(title, rows, base, columns, memory=False):
    """One line per row, and one per row against the base: the ratio of medians, and the ratios of single repeats."""
    names = {ROLLOUT: "rollout samples/s", REST: "outside learning, samples/s", END_TO_END: "end to end, samples/s"}
    extra = [("memory, MB", "memory_mb", 0)] if memory else []
    lines = [f"**{title}**", "", "| | " + " | ".join([names[column] for column in columns] + [e[0] for e in extra]) + " |"]
    lines.append("| --- |" + " ---: |" * (len(columns) + len(extra)))
    for name, row in rows.items():
        cells = [range_text(figures(row, column), 0) for column in columns]
        cells += [range_text(figures(row, key), decimals) for _, key, decimals in extra]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    for name in rows:
        if name != base:
            cells = [range_text(ratio(rows, name, base, column), 2) for column in columns] + [""] * len(extra)
            lines.append(f"| {name} / {base} | " + " | ".join(cells) + " |")
    return lines


def two_core_table(rows):
    title = "The Ray runner against the local one, 64 environments in 2 shards"
    return comparison(title, rows, "local", (ROLLOUT, REST, END_TO_END), memory=True)


def workers_table(rows):
    title = "4 workers of 8 environments on Ray against 32 environments in one process on one thread"
    return comparison(title, rows, "one process", (ROLLOUT,))


def async_table(rows):
    lines = comparison("Asynchronous against synchronous", rows, "synchronous", (END_TO_END,))
    base = [run for run in rows["synchronous"]["runs"] if "error" not in run]
    rollout_s, learn_s = (spread([run[name] for run in base]) for name in ("rollout_s", "learn_s"))
    dropped = ", ".join(f"{name} {range_text(figures(row, 'batches_dropped'), 0)}" for name, row in rows.items())
    lines += ["", f"One synchronous epoch: rollouts {range_text(rollout_s, 3)} s, learning {range_text(learn_s, 3)} s. "
              f"Batches dropped as too old, which do not count as samples: {dropped}."]
    return lines


def shards_table(title):
    def table(rows):
        runners = list(dict.fromkeys(name.split()[0] for name in rows))
        counts = list(dict.fromkeys(int(name.split()[1]) for name in rows))
        heads = " | ".join(f"{runner}, rollout samples/s | efficiency" for runner in runners)
        lines = [f"**{title}**", "", f"| shards | envs | {heads} |"]
        lines.append("| ---: |" + " ---: |" * (1 + 2 * len(runners)))
        for count in counts:
            cells = [str(count), re.search(r"--num-envs (\d+)", rows[f"{runners[0]} {count}"]["command"])[1]]
            for runner in runners:
                rate = figures(rows[f"{runner} {count}"], ROLLOUT)
                share = efficiency(rate["median"], figures(rows[f"{runner} {counts[0]}"], ROLLOUT)["median"], count, counts[0])
                cells += [range_text(rate, 0), "n/a" if math.isnan(share) else f"{share:.0%}"]
            lines.append("| " + " | ".join(cells) + " |")
        return lines
    return table


def efficiency(rate, first_rate, shards, first_shards):
    return rate / first_rate / (shards / first_shards)


def commands(rows):
    return ["Commands:", "", *(f"    {row['command']}" for row in rows.values())]


def errors(rows):
    found = [f"- {name}: {run['error']}" for name, row in rows.items() for run in row["runs"] if "error" in run]
    return ["", "Failed runs:", "", *found] if found else []


PART_TABLES = {
    "two_core": two_core_table,
    "workers": workers_table,
    "shards": shards_table("Shards of as many environments each; efficiency: samples/s / (shards × samples/s of one shard)"),
    "strong": shards_table("As many environments in more shards; efficiency: samples/s / (shards × samples/s of one shard)"),
    "async": async_table,
}
