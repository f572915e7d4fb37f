"""Plots of scripts/scaling.py, with matplotlib."""

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  (after the choice of a backend without a screen)

PICTURES = {
    "samples_per_s": ("samples per second, end to end", lambda entry: entry["samples_per_s"]),
    "rollout_samples_per_s": ("samples per second, rollouts alone", lambda entry: entry["rollout_samples_per_s"]),
    "efficiency": ("efficiency of rollouts, %", lambda entry: flat(100 * entry["rollout_efficiency"])),
    "memory_mb": ("memory of all processes, MB", lambda entry: entry["memory_mb"]),
}


def flat(value):
    return {"median": value, "min": value, "max": value}


def draw(entries, title, folder):
    """Writes one PNG per figure over environments, one line per runner (and per number of workers, if there are several)."""
    names = []
    for name, (label, figure) in PICTURES.items():
        picture, axes = pyplot.subplots(figsize=(7, 4.5), dpi=120)
        for line, points in lines_of(entries).items():
            envs = [point["envs"] for point in points]
            values = [figure(point) for point in points]
            (drawn,) = axes.plot(envs, [value["median"] for value in values], marker="o", label=line)
            axes.fill_between(
                envs,
                [value["min"] for value in values],
                [value["max"] for value in values],
                color=drawn.get_color(),
                alpha=0.2,
                linewidth=0,
            )
        axes.set_xscale("log", base=2)
        axes.set_xticks(sorted({entry["envs"] for entry in entries}))
        axes.xaxis.set_major_formatter("{x:.0f}")
        axes.set_ylim(bottom=0)
        axes.set_xlabel("parallel environments")
        axes.set_ylabel(label)
        axes.set_title(title, fontsize=9)
        axes.grid(alpha=0.3)
        axes.legend()
        picture.tight_layout()
        picture.savefig(folder / f"{name}.png")
        pyplot.close(picture)
        names.append(f"{name}.png")
    return names


def draw_growth(parts, title, folder):
    """Writes one PNG for all growth experiments, one column each: samples per second, time of an epoch and memory. `parts` has the
    spreads of each figure by experiment and size."""
    figures = {"samples_per_s": "samples per second", "epoch_s": "time of an epoch, s", "memory_mb": "memory, MB"}
    picture, axes = pyplot.subplots(len(figures), len(parts), figsize=(4 * len(parts), 9), dpi=100, squeeze=False)
    for column, (what, sizes) in enumerate(parts.items()):
        for row, (figure, label) in enumerate(figures.items()):
            panel = axes[row][column]
            values = [spreads[figure] for spreads in sizes.values()]
            panel.plot(list(sizes), [value["median"] for value in values], marker="o")
            panel.fill_between(
                list(sizes), [value["min"] for value in values], [value["max"] for value in values], alpha=0.2
            )
            panel.set_xscale("log", base=2)
            panel.set_xticks(list(sizes))
            panel.xaxis.set_major_formatter("{x:.0f}")
            panel.minorticks_off()
            panel.set_ylim(bottom=0)
            panel.grid(alpha=0.3)
            if column == 0:
                panel.set_ylabel(label)
            if row == len(figures) - 1:
                panel.set_xlabel(what)
    picture.suptitle(title, fontsize=10)
    picture.tight_layout()
    picture.savefig(folder / "growth.png")
    pyplot.close(picture)
    return ["growth.png"]


def lines_of(entries):
    several = len({entry["part"] for entry in entries}) > 1
    by_workers = {
        (entry["part"], entry["runner"])
        for entry in entries
        if sum(
            (other["part"], other["runner"], other["envs"]) == (entry["part"], entry["runner"], entry["envs"])
            for other in entries
        )
        > 1
    }
    lines = {}
    for entry in entries:
        name = entry["runner"]
        if (entry["part"], entry["runner"]) in by_workers:
            name += f", {entry['workers']} workers"
        if several:
            name += f" ({entry['part']})"
        lines.setdefault(name, []).append(entry)
    return lines
