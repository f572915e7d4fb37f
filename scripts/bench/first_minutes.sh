#!/usr/bin/env bash
# Times the first steps of a new user: a virtual environment in an empty folder, the wheel, and the first steps of README and docs/.
set -euo pipefail

case "${1:-}" in
  ""|-h|--help)
    cat <<'TEXT'
Usage: scripts/bench/first_minutes.sh WHEEL [FOLDER]

Installs the wheel with [ray,gym] into a new virtual environment in FOLDER (default: a new folder in /tmp) that contains nothing else of Dray, then runs the first
steps of the documentation. Prints a table of wall-clock and processor seconds. The time for downloads depends on the network: run it twice, the second
time from pip's cache.
TEXT
    exit 0 ;;
esac
wheel=$(realpath "$1")
folder=${2:-$(mktemp -d /tmp/dray-first-XXXXXX)}
mkdir -p "$folder/work"
cd "$folder/work"
export PYTHONDONTWRITEBYTECODE=1
unset PYTHONPATH
TIMEFORMAT="%1R %1U %1S"

step() {  # what it is, command
  local name="$1" seconds
  shift
  seconds=$( { time "$@" > ../step.log 2>&1; } 2>&1 ) || { cat ../step.log >&2; echo "first_minutes: failed: $*" >&2; exit 1; }
  echo "$seconds" | awk -v name="$name" '{ printf "| %s | %.1f | %.1f |\n", name, $1, $2 + $3 }'
}

echo "| step | seconds | processor seconds |"
echo "| --- | ---: | ---: |"
step "virtual environment" python3 -m venv ../venv
export PATH="$folder/venv/bin:$PATH"
step "pip install" pip install --quiet "$wheel[ray,gym]"
step "first training, with its page" dray train --config smoke --runner local --run-dir runs/first
step "first pictures: all baselines, routes, clocks" dray evaluate --run-dir runs/first --baselines all --episodes 4 --out runs/first/evaluation --render runs/first/evaluation
step "the page with them" dray report --run-dir runs/first
step "example files" dray examples
step "training on them, one minute of it" dray train --config dvrptw_best --runner local --duration 1m --run-dir runs/mine \
  --set env.dvrptw.places=configs/examples/places.csv --set env.dvrptw.trips=configs/examples/trips.csv
cat > first.py <<'PYTHON'
import dray

envs = dray.make_vec("cage2", num_envs=64, red="meander")
observations, info = envs.reset(seed=1)
policy = dray.load_policy(pretrained="cage2_mixture")
envs = policy.make_vec(num_envs=8)
observations, info = envs.reset(seed=1)
print(policy.act(observations, info.get("action_mask")))
PYTHON
step "first use from Python: environments, a pretrained policy" python first.py
step "a training on a Ray of its own" dray train --config smoke --runner ray --run-dir runs/ray
cat > on_ray.py <<'PYTHON'
import dray.client

with dray.client.Training("cartpole", set={"scale.num_envs": 16}, shards=2) as training:
    for _ in range(10):
        metrics = training.step()
    print(training.evaluate()["eval/return_mean"])
PYTHON
step "a training on Ray from Python" python on_ray.py
