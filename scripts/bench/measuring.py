"""Shared by the benchmarks: the peers' virtual environment, the machine's description, medians and spreads."""

import datetime
import json
import math
import os
import pathlib
import platform
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1")


def use_project_python():
    """Restarts the script with the interpreter of the project's virtual environment, which has matplotlib, if there is one."""
    python = pathlib.Path(os.environ.get("DRAY_VENV", ROOT / ".venv")) / "bin" / "python"
    if python.exists() and pathlib.Path(sys.prefix).resolve() != python.parents[1].resolve():
        os.execv(python, [str(python), *sys.argv])


def say(text):
    print(f"{datetime.datetime.now():%H:%M:%S} {text}", flush=True)


def duration(seconds):
    seconds = round(seconds)
    if seconds < 60:
        return f"{seconds}s"
    if seconds < 3600:
        return f"{seconds // 60}m {seconds % 60:02d}s"
    return f"{seconds // 3600}h {seconds % 3600 // 60:02d}m"


def make_venv(folder, requirements):
    """Makes the peers' virtual environment from lists of packages, in order; once, and again if they change."""
    python = folder / "bin" / "python"
    marker = folder / "dray-requirements.json"
    wanted = json.dumps(requirements)
    if python.exists() and marker.exists() and marker.read_text() == wanted:
        return python
    say(f"making {folder} (a few minutes, one or two GB)")
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    for packages in requirements:
        say("  pip install " + " ".join(packages))
        install = [str(python), "-m", "pip", "install", "--quiet"]
        # Without CUDA if pip offers that, which saves gigabytes.
        without_cuda = [package + "+cpu" if package.startswith("torch==") else package for package in packages]
        if without_cuda == packages or subprocess.run(install + without_cuda, capture_output=True).returncode != 0:
            subprocess.run(install + packages, check=True)
    marker.write_text(wanted)
    return python


def describe_machine(python=None, packages=()):
    """Describes the machine; with an interpreter, also the versions of its packages."""
    cpu = platform.processor() or platform.machine()
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                cpu = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    machine = {
        "date": datetime.date.today().isoformat(),
        "cpu": cpu,
        "cores": len(os.sched_getaffinity(0)),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9),
        "system": platform.platform(),
    }
    if python:
        program = f"import importlib.metadata as m, json; print(json.dumps({{p: m.version(p) for p in {packages!r}}}))"
        versions = subprocess.run([str(python), "-c", program], check=True, capture_output=True, text=True).stdout
        machine["versions"] = json.loads(versions)
    return machine


def machine_text(machine):
    return f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_gb']} GB"


def spread(values):
    """Returns median, minimum and maximum, ignoring NaN."""
    values = [value for value in values if not math.isnan(value)]
    if not values:
        return {"median": float("nan"), "min": float("nan"), "max": float("nan")}
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def range_text(numbers, decimals):
    if math.isnan(numbers["median"]):
        return "n/a"
    median, low, high = (f"{numbers[key]:,.{decimals}f}" for key in ("median", "min", "max"))
    return f"{median} ({low} - {high})"


def without_nan(value):
    """Returns the value for strict JSON: null instead of NaN."""
    if isinstance(value, dict):
        return {key: without_nan(item) for key, item in value.items()}
    if isinstance(value, list):
        return [without_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
