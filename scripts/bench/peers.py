#!/usr/bin/env python3
"""Benchmarks Dray against Stable-Baselines3, RLlib, CleanRL and RLtools: same machine, same settings, one thread each.

CartPole-v1 against the Python libraries; Pendulum, with small and with wide networks, against RLtools, a fast C++ library with
all sizes compiled in (-Ofast, OpenBLAS).

The runs of all libraries are interleaved (repeat 1 of each, repeat 2 of each, ...), so that a slow moment of the machine
affects all of them. Every run is a separate process; its speed is steps per second of training, without imports and process
start. The peers have their own virtual environment, .venv-peers, which this script creates if it is missing.

  scripts/bench/peers.py                                the whole comparison (half an hour or more)
  scripts/bench/peers.py --repeats 1 --steps 20000      a first look
  scripts/bench/peers.py --peers-only --rows zoo        without Dray, one row of settings
  scripts/bench/peers.py --rows pendulum pendulum_wide  only against RLtools
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time
import urllib.request

WORKER = pathlib.Path(__file__).resolve().with_name("peers_worker.py")
sys.dont_write_bytecode = True
sys.path.insert(0, str(WORKER.parent))
from measuring import ONE_THREAD, ROOT, describe_machine, duration, make_venv, range_text, say, spread, without_nan  # noqa: E402
from peers_worker import SETTINGS  # noqa: E402  (it imports no peer before a run)

# In this order: packages after torch must use the installed torch.
REQUIREMENTS = [
    ["torch==2.13.0"],
    ["stable-baselines3==2.9.2", "sb3-contrib==2.9.2", "gymnasium", "ray[rllib]==2.59.0", "tyro", "tensorboard"],
    ["rltools==2.2.1", "scipy-openblas32"],
]
PACKAGES = ("torch", "stable-baselines3", "gymnasium", "ray", "numpy", "rltools", "scipy-openblas32")
CLEANRL_COMMIT = "fe8d8a03c41a7ef5b523e2e354bd01c363e786bb"
CLEANRL_URL = f"https://raw.githubusercontent.com/vwxyzjn/cleanrl/{CLEANRL_COMMIT}/cleanrl/"
ROW_TITLES = {
    "cleanrl": "CartPole-v1, CleanRL's settings (4 envs x 128, 4 epochs)",
    "zoo": "CartPole-v1, SB3 zoo's settings (8 envs x 32, 20 epochs)",
    "pendulum": "Pendulum, 64-64 ReLU (4 envs x 1,024, minibatches of 256, 2 epochs)",
    "pendulum_wide": "Pendulum, 256-256-256 ReLU (otherwise the same): arithmetic dominates",
}
ROW_PEERS = {
    "cleanrl": ("sb3", "rllib", "cleanrl"),
    "zoo": ("sb3", "rllib"),
    "pendulum": ("rltools",),
    "pendulum_wide": ("rltools",),
}
LIBRARY_TITLES = {
    "dray": "Dray",
    "sb3": "Stable-Baselines3",
    "rllib": "RLlib",
    "cleanrl": "CleanRL",
    "rltools": "RLtools",
}
PENDULUM = [
    "--n-envs",
    "4",
    "--set",
    "train.rollout_steps=1024",
    "--set",
    "ppo.minibatch_size=256",
    "--set",
    "ppo.policy_epochs=2",
    "--set",
    "ppo.gamma=0.9",
    "--set",
    "ppo.gae_lambda=0.95",
    "--set",
    "network.activation=relu",
    "--set",
    "normalize.observations=false",
    "--set",
    "normalize.rewards=false",
    "--set",
    "ppo.learning_rate=1e-3",
]
DRAY_FLAGS = {
    "pendulum": [*PENDULUM, "--set", "network.hidden=[64,64]"],
    "pendulum_wide": [*PENDULUM, "--set", "network.hidden=[256,256,256]"],
}
# One thread, like the others, and only training in the measured time.
ONE_THREAD_DRAY = ["--set", "scale.threads=1", "--set", "scale.learner_threads=1", "--save-interval", "0"]
DIFFERENCES = [
    "Stable-Baselines3 clips the value's change without PPO2's maximum over the clipped and the plain error.",
    "RLlib has no clipping of the value's change, no annealed clip range, PyTorch's initialisation, Adam's epsilon 1e-8, and "
    "normalises advantages over the batch rather than the minibatch.",
    "RLlib runs in one process here (no remote env runners, no remote learner), as the others do.",
    "CleanRL is its own script, ppo.py, and counts its speed itself; it plays no evaluation.",
    "RLtools has neither clipped value losses nor clipped norms of gradients, separate optimisers for actor and critic, and reports "
    "no returns here; it is compiled with -Ofast for this very machine.",
]


def run_process(command, log, **options):
    """Runs a command with its output in a file; a failure ends the benchmark with the last lines of the output."""
    environment = {**os.environ, **ONE_THREAD}
    with open(log, "w") as output:
        status = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, env=environment, **options).returncode
    if status != 0:
        tail = "\n".join(pathlib.Path(log).read_text(errors="replace").splitlines()[-15:])
        raise SystemExit(
            f"{tail}\nerror: exit code {status} from: {shlex.join(map(str, command))} (whole output: {log})"
        )


def run_peer(library, row, steps, seed, arguments, log):
    command = [arguments.python, WORKER, library, row, f"--steps={steps}", f"--seed={seed}"]
    command.append(f"--evaluation-episodes={arguments.evaluation_episodes}")
    run_process(list(map(str, command)), log)
    return json.loads(log.read_text().splitlines()[-1])


def fetch_cleanrl(script, given, folder):
    """Returns one of CleanRL's scripts: the given file, else downloaded once from its repository into the folder."""
    if given:
        return given.resolve()
    file = folder.resolve() / f"cleanrl-{CLEANRL_COMMIT[:8]}-{script}"
    if not file.exists():
        url = CLEANRL_URL + script
        say(f"fetching {url}")
        try:
            with urllib.request.urlopen(url, timeout=30) as answer:
                file.write_bytes(answer.read())
        except OSError as error:
            raise SystemExit(f"error: {url}: {error}; give a copy with --cleanrl FILE, or leave CleanRL out") from None
    return file


def run_cleanrl(row, steps, seed, arguments, log):
    """Trains with CleanRL, whose defaults are this row's settings. It prints returns and steps per second while it runs."""
    script = fetch_cleanrl("ppo.py", arguments.cleanrl, arguments.venv)
    command = [arguments.python, script, "--no-cuda", f"--total-timesteps={steps}", f"--seed={seed}"]
    with tempfile.TemporaryDirectory(prefix="dray-bench-") as folder:
        run_process(list(map(str, command)), log, cwd=folder)
    return read_cleanrl_log(log.read_text(), steps)


def read_cleanrl_log(text, steps):
    speeds = [int(number) for number in re.findall(r"^SPS: (\d+)$", text, re.M)]
    returns = [float(number) for number in re.findall(r"episodic_return=\[?([\d.]+)", text)]
    return {
        "steps": steps,
        "seconds": steps / speeds[-1],
        "training_return": sum(returns[-100:]) / len(returns[-100:]) if returns else float("nan"),
        "evaluation": float("nan"),
    }


def rltools_compiler(row, python):
    """Returns the command that compiles RLtools' program for a row, without its output, and the linker flags."""
    where = "import importlib.util as u; print(*(u.find_spec(name).submodule_search_locations[0] for name in ('rltools', 'scipy_openblas32')))"
    rltools, openblas = subprocess.run([python, "-c", where], check=True, capture_output=True, text=True).stdout.split()
    settings = SETTINGS[row]
    command = [
        "g++",
        "-std=c++17",
        f"-DHIDDEN={settings['hidden']}",
        f"-DLAYERS={settings['layers']}",
        # The name in this OpenBLAS.
        "-DRL_TOOLS_BACKEND_ENABLE_OPENBLAS",
        "-Dcblas_sgemm=scipy_cblas_sgemm",
        f"-I{rltools}/external/rl_tools/include",
        f"-I{openblas}/include",
        str(WORKER.with_name("peers_rltools.cc")),
    ]
    return command, [f"-L{openblas}/lib", "-lscipy_openblas", f"-Wl,-rpath,{openblas}/lib"]


def build_rltools(row, arguments):
    """Compiles RLtools' program for a row, for this machine."""
    program = arguments.out / f"rltools-{row}"
    if not program.exists():
        command, linked = rltools_compiler(row, arguments.python)
        run_process(
            [*command, "-Ofast", "-march=native", "-o", str(program), *linked],
            arguments.out / f"rltools-{row}-build.log",
        )
    return program


def run_rltools(row, steps, seed, arguments, log):
    run_process([str(build_rltools(row, arguments)), str(steps), str(seed)], log)
    result = json.loads(log.read_text().splitlines()[-1])
    return {name: float("nan") if value is None else value for name, value in result.items()}


def last_number(reports, name):
    values = [report[name] for report in reports if report.get(name) is not None]
    return values[-1] if values else float("nan")


def read_dray_run(folder):
    """Reads the result of a run from its metrics.jsonl (names: configs/METRICS.md)."""
    lines = (pathlib.Path(folder) / "metrics.jsonl").read_text().splitlines()
    reports = [json.loads(line) for line in lines]
    return {
        "steps": last_number(reports, "total_steps"),
        "seconds": last_number(reports, "time/elapsed_s")
        - sum(report.get("time/evaluate_s") or 0.0 for report in reports),
        "training_return": last_number(reports, "episode/return_mean"),
        "evaluation": last_number(reports, "eval/return_mean"),
    }


def run_dray(row, steps, seed, arguments, log):
    with tempfile.TemporaryDirectory(prefix="dray-bench-") as folder:
        run_dir = pathlib.Path(folder) / "run"
        command = shlex.split(arguments.dray_command)
        command += [
            "--config",
            arguments.dray_configs[row],
            "--runner",
            "local",
            "--seed",
            str(seed),
            "--run-dir",
            str(run_dir),
        ]
        if arguments.steps or row in DRAY_FLAGS:
            command += [arguments.dray_steps_flag, str(steps)]
        command += DRAY_FLAGS.get(row, []) + ONE_THREAD_DRAY + arguments.dray_flag
        run_process(command, log, cwd=ROOT)
        return read_dray_run(run_dir)


def summarise(runs):
    """Returns one entry per row of settings and library; ratio is Dray's median speed over this library's."""
    table = []
    for row in ROW_TITLES:
        entries = []
        for library in LIBRARY_TITLES:
            mine = [run for run in runs if (run["row"], run["library"]) == (row, library)]
            if not mine:
                continue
            entries.append(
                {
                    "row": row,
                    "library": library,
                    "repeats": len(mine),
                    "steps": mine[0]["steps"],
                    "steps_per_s": spread([run["steps"] / run["seconds"] for run in mine]),
                    "training_return": spread([run["training_return"] for run in mine]),
                    "evaluation": spread([run["evaluation"] for run in mine]),
                }
            )
        dray = next((entry for entry in entries if entry["library"] == "dray"), None)
        for entry in entries:
            known = dray is not None and entry is not dray
            entry["dray_over_this"] = dray["steps_per_s"]["median"] / entry["steps_per_s"]["median"] if known else None
        table += entries
    return table


def markdown(table, machine, arguments):
    last_seed = arguments.seed + arguments.repeats - 1
    seeds = f"seed {last_seed}" if arguments.repeats == 1 else f"seeds {arguments.seed} to {last_seed}"
    lines = [
        "# Dray and its peers",
        "",
        f"Measured {machine['date']} by `scripts/bench/peers.py` on {machine['cpu']}, {machine['cores']} cores, "
        f"{machine['system']}; one thread per run, runs interleaved, {seeds}. "
        "Numbers are the median (smallest - largest).",
    ]
    for row, title in ROW_TITLES.items():
        entries = [entry for entry in table if entry["row"] == row]
        if not entries:
            continue
        lines += [
            "",
            f"## {title}, {entries[0]['steps']:,} steps",
            "",
            "| library | steps/s | mean return, last 100 training episodes "
            f"| evaluation ({arguments.evaluation_episodes} episodes, deterministic) | Dray / this, speed |",
            "| --- | --- | --- | --- | --- |",
        ]
        for entry in entries:
            ratio = f"{entry['dray_over_this']:.2f} x" if entry["dray_over_this"] else ""
            lines.append(
                f"| {LIBRARY_TITLES[entry['library']]} | {range_text(entry['steps_per_s'], 0)} "
                f"| {range_text(entry['training_return'], 1)} | {range_text(entry['evaluation'], 1)} | {ratio} |"
            )
    lines += ["", "What differs:", ""] + [f"- {difference}" for difference in DIFFERENCES]
    return "\n".join(lines) + "\n"


def write_results(runs, machine, arguments):
    table = summarise(runs)
    text = markdown(table, machine, arguments)
    (arguments.out / "peers.md").write_text(text)
    results = {"machine": machine, "differences": DIFFERENCES, "table": table, "runs": runs}
    (arguments.out / "peers.json").write_text(json.dumps(without_nan(results), indent=1, allow_nan=False) + "\n")
    return text


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3, help="runs per library and row, seeds count up (default 3)")
    parser.add_argument("--steps", type=int, help="steps per run (default: 500,000, 100,000, 800,000 and 80,000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first repeat (default 1)")
    parser.add_argument("--rows", nargs="+", choices=SETTINGS, default=list(SETTINGS), help="settings (default: all)")
    known = [library for library in LIBRARY_TITLES if library != "dray"]
    parser.add_argument("--peers", nargs="+", choices=known, default=known, help="default: all")
    parser.add_argument(
        "--cleanrl",
        type=pathlib.Path,
        metavar="FILE",
        help="CleanRL's ppo.py (default: downloaded from its repository)",
    )
    parser.add_argument("--peers-only", action="store_true", help="do not run Dray")
    parser.add_argument("--evaluation-episodes", type=int, default=20, help="default 20")
    parser.add_argument(
        "--out",
        type=pathlib.Path,
        default=pathlib.Path("bench-peers"),
        help="folder for peers.md, peers.json and the logs (default bench-peers)",
    )
    parser.add_argument(
        "--venv", type=pathlib.Path, default=ROOT / ".venv-peers", help="the peers' virtual environment"
    )
    parser.add_argument(
        "--dray-command", default="bazel run //:train --", help="Dray's train command (default: %(default)s)"
    )
    parser.add_argument(
        "--dray-config",
        action="append",
        default=[],
        metavar="ROW=FILE",
        help="Dray's configuration for a row (default: cleanrl=configs/cartpole.yaml and so on)",
    )
    parser.add_argument(
        "--dray-steps-flag", default="--total-steps", help="Dray's flag for --steps (default %(default)s)"
    )
    parser.add_argument(
        "--dray-flag", action="append", default=[], metavar="FLAG", help="additional flag for Dray; repeatable"
    )
    arguments = parser.parse_args()
    if arguments.repeats < 1 or (arguments.steps is not None and arguments.steps < 1):
        parser.error("--repeats and --steps must be at least 1")
    arguments.dray_configs = {
        "cleanrl": "configs/cartpole.yaml",
        "zoo": "configs/cartpole_zoo.yaml",
        "pendulum": "configs/pendulum.yaml",
        "pendulum_wide": "configs/pendulum.yaml",
    }
    for given in arguments.dray_config:
        row, _, file = given.partition("=")
        if row not in SETTINGS or not file:
            parser.error(f"--dray-config {given}: expected ROW=FILE with ROW one of {', '.join(SETTINGS)}")
        arguments.dray_configs[row] = file
    return arguments


def plan(arguments):
    """Returns all runs in order: every library and row once per repeat."""
    runs = []
    for repeat in range(arguments.repeats):
        for row in arguments.rows:
            libraries = [library for library in ROW_PEERS[row] if library in arguments.peers]
            if not arguments.peers_only:
                if (ROOT / arguments.dray_configs[row]).exists():
                    libraries.insert(0, "dray")
                elif repeat == 0:
                    say(f"note: {arguments.dray_configs[row]} does not exist: no Dray in row {row} (see --dray-config)")
            runs += [(row, library, arguments.seed + repeat) for library in libraries]
    return runs


def main():
    arguments = parse_arguments()
    arguments.out = arguments.out.resolve()
    arguments.out.mkdir(parents=True, exist_ok=True)
    arguments.python = make_venv(arguments.venv.resolve(), REQUIREMENTS)
    machine = describe_machine(arguments.python, PACKAGES)
    planned = plan(arguments)
    steps_of = {row: arguments.steps or SETTINGS[row]["steps"] for row in SETTINGS}
    runs, start, steps_done = [], time.monotonic(), 0
    steps_planned = sum(steps_of[row] for row, _, _ in planned)
    text = ""
    for number, (row, library, seed) in enumerate(planned, 1):
        log = arguments.out / f"{library}-{row}-{seed}.log"
        own = {"dray": run_dray, "cleanrl": run_cleanrl, "rltools": run_rltools}
        run = own.get(library, lambda *rest: run_peer(library, *rest))
        result = run(row, steps_of[row], seed, arguments, log)
        runs.append({"row": row, "library": library, "seed": seed, **result})
        text = write_results(runs, machine, arguments)
        steps_done += steps_of[row]
        left = (time.monotonic() - start) * (steps_planned - steps_done) / steps_done
        say(
            f"run {number}/{len(planned)} · {LIBRARY_TITLES[library]}, {row}, seed {seed} · "
            f"{result['steps'] / result['seconds']:,.0f} steps/s · return {result['training_return']:.1f} (last 100) · "
            f"evaluation {result['evaluation']:.1f} · ETA {duration(left)}"
        )
    print("\n" + text + f"\nWritten to {arguments.out}: peers.md, peers.json and a log per run.")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit("stopped; the runs so far are in the output folder") from None
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"error: exit code {error.returncode} from: {shlex.join(map(str, error.cmd))}") from None
