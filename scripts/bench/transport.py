#!/usr/bin/env python3
"""Compares the speed of moving batches and weights between actors with that of Python actors with numpy.

    bazel build -c opt //tests/ray:libfake_actors.so
    .venv/bin/python scripts/bench/transport.py [--repeats 40] [--json FILE]

Both sides run on the same cluster, which this script starts and ends, and alternate after every transfer. A batch is created in
one actor (every byte written), goes through the object store, and is read in another (every byte once); the driver measures the
time from call to answer. Weights go from one actor to four. Prints a Markdown table, and what a call without data takes.
"""

import argparse
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import measuring  # noqa: E402
import own_ray  # noqa: E402

TRANSFERS = [("batch", 1.0), ("batch", 9.0), ("batch", 37.0), ("weights", 0.1), ("weights", 1.0), ("weights", 5.0)]
WARM_UP = 5
CALLS = 1000
NAMES = {"batch": "batch, 1 to 1", "weights": "weights, 1 to 4"}


class Side:
    """A driver process that times transfers on demand."""

    def __init__(self, environment, *arguments):
        worker = pathlib.Path(__file__).with_name("transport_worker.py")
        self.process = subprocess.Popen(
            [sys.executable, str(worker), *arguments],
            env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._line()

    def _line(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"a driver ended: {' '.join(self.process.args)}")
        return line

    def ask(self, what, number):
        self.process.stdin.write(f"{what} {number}\n")
        self.process.stdin.flush()
        return json.loads(self._line())

    def end(self):
        self.process.stdin.close()
        self.process.wait(60)


def measure(sides, repeats):
    """Returns a row per transfer with the milliseconds of both sides."""
    rows = []
    for what, megabytes in TRANSFERS:
        size = int(megabytes * 1e6) // 8 * 8
        times = {name: [] for name in sides}
        for turn in range(WARM_UP + repeats):
            for name, side in sides.items():
                milliseconds = side.ask(what, size) * 1e3
                if turn >= WARM_UP:
                    times[name].append(milliseconds)
        row = {"what": what, "megabytes": megabytes, "repeats": repeats}
        rows.append({**row, **{name: measuring.spread(values) for name, values in times.items()}})
    return rows


def table(rows):
    lines = ["| transfer | MB | Dray, ms | Python and numpy, ms | Dray, MB/s | Python / Dray |"]
    lines.append("| --- | ---: | ---: | ---: | ---: | ---: |")
    for row in rows:
        dray, python = row["dray"]["median"], row["python"]["median"]
        cells = [NAMES[row["what"]], f"{row['megabytes']:g}"]
        cells += [measuring.range_text(row[name], 1) for name in ("dray", "python")]
        cells += [f"{row['megabytes'] * 1e3 / dray:,.0f}", f"{python / dray:.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=40, help="repeats per transfer and side (%(default)s)")
    parser.add_argument("--library", default=str(measuring.ROOT / "bazel-bin/tests/ray/libfake_actors.so"))
    parser.add_argument("--json", metavar="FILE", help="also write all numbers to this file")
    return parser.parse_args()


def main():
    options = parse()
    if not pathlib.Path(options.library).exists():
        sys.exit(f"transport: there is no {options.library}: bazel build -c opt //tests/ray:libfake_actors.so")
    machine = measuring.describe_machine(sys.executable, ["ray", "ray-cpp", "numpy"])
    ray = own_ray.OwnRay(cpus=8, object_store_mb=1000)
    try:
        library = str(pathlib.Path(options.library).resolve())
        sides = {"dray": Side(ray.environment, "dray", library), "python": Side(ray.environment, "python")}
        rows = measure(sides, options.repeats)
        calls = sides["dray"].ask("calls", CALLS)
        for side in sides.values():
            side.end()
    finally:
        ray.end()
    print(table(rows))
    print(f"\nMedian (smallest - largest) of {options.repeats}; {machine['cpu']}, {machine['cores']} cores, "
          f"ray {machine['versions']['ray']}, {machine['date']}.")  # fmt: skip
    print(f"A call without data takes the driver {calls['call'] * 1e3:.2f} ms, an answer {calls['answer'] * 1e3:.2f} ms; there and back "
          f"it takes {calls['there_and_back'] * 1e3:.2f} ms ({CALLS:,} calls).")  # fmt: skip
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"machine": machine, "rows": rows, "calls": calls}, indent=1))


if __name__ == "__main__":
    main()
