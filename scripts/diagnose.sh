#!/usr/bin/env bash
# Collects what is needed to find out why a run failed or hangs into one archive, without secrets.
set -euo pipefail

usage() {
  cat <<'TEXT'
Usage: scripts/diagnose.sh RUN_DIR [--out FILE] [--help]

Writes one .tar.gz about a run, to attach to a bug report: its settings, the end of its metrics and logs, the last heartbeats of its
roles, versions, the machine, process names, and Ray's state and logs if Ray can be reached. Also works while a run hangs. Changes
nothing.

  --out FILE   the archive (default: dray-diagnosis-NAME-DATE.tar.gz in this folder)

The archive contains no token file, no checkpoint, no weights, and only a short list of environment variables. Secrets are replaced
in every file: Ray's token; values of variables whose names contain TOKEN, KEY, SECRET, PASSWORD, CREDENTIAL or AUTH; what follows such
a name in a log (PASSWORD=..., "api_key": "...", --token ...); passwords in URLs; private keys; and tokens of well-known services
(ghp_..., AKIA..., hf_...). Names of users, machines and folders remain: check the archive before you publish it.
TEXT
}

fail() { printf 'diagnose: %s\n' "$*" >&2; exit 1; }
misuse() { printf 'diagnose: %s; see scripts/diagnose.sh --help\n' "$*" >&2; exit 2; }

run="" archive=""
while [ $# -gt 0 ]; do
  case "$1" in
    --out=*) set -- --out "${1#*=}" "${@:2}" ;;
  esac
  case "$1" in
    -h|--help) usage; exit 0 ;;
    --out) [ $# -ge 2 ] && [ -n "$2" ] || misuse "--out needs a value"; archive=$2; shift 2 ;;
    -*) misuse "unknown option $1" ;;
    *) [ -z "$run" ] || misuse "one run at a time"; run=$1; shift ;;
  esac
done
[ -n "$run" ] || misuse "give the folder of a run"
[ -d "$run" ] || misuse "$run: no such folder; give the folder of a run (--run-dir)"
[ -f "$run/config.yaml" ] || misuse "$run has no config.yaml: it is not the folder of a run"

root=$(cd "$(dirname "$0")/.." && pwd)
python="${DRAY_PYTHON:-${DRAY_VENV:-$root/.venv}/bin/python}"
[ -x "$python" ] || python=$(command -v python3) || fail "no python3 on the PATH"
name=dray-diagnosis-$(basename "$(realpath "$run")")-$(date -u +%Y%m%d-%H%M%S)
archive=${archive:-$name.tar.gz}

umask 077  # the archive is private
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
to="$work/$name"
mkdir "$to"

# section FILE COMMAND...: appends a command's output to a file, even if the command fails
section() {
  local file="$to/$1"; shift
  mkdir -p "$(dirname "$file")"
  { printf '$ %s\n' "$*"; timeout 30 "$@" </dev/null 2>&1 || printf '(exit code %s)\n' "$?"; printf '\n'; } >>"$file"
}
# end_of FILE NAME: copies the last 256 KB of a file
end_of() {
  [ -f "$1" ] && [ -r "$1" ] || return 0
  mkdir -p "$(dirname "$to/$2")"
  tail -c 262144 "$1" >"$to/$2"
}

# --- The run
end_of "$run/config.yaml" run/config.yaml
end_of "$run/metrics.jsonl" run/metrics_end.jsonl
end_of "$run/heartbeats.txt" run/heartbeats.txt
for log in "$run"/*.log "$run"/*.out "$run"/*.err; do end_of "$log" "run/$(basename "$log")"; done
section run/files.txt ls -lR --time-style=full-iso "$run"

# --- Versions
section versions.txt cat "$root/CITATION.cff"
section versions.txt git -C "$root" log -1 --format='%H %cI %s'
section versions.txt git -C "$root" status --short
section versions.txt "$python" --version
section versions.txt "$python" -c 'import importlib.metadata as m
for package in ("ray", "ray-cpp", "torch", "numpy", "protobuf", "dray"):
    try: print(package, m.version(package))
    except m.PackageNotFoundError: print(package, "is not installed")'
section versions.txt g++ --version

# --- The machine
for command in "uname -a" "cat /etc/os-release" "nproc" "uptime" "free -m" "df -h" "cat /sys/fs/cgroup/memory.max" \
  "cat /sys/fs/cgroup/cpu.max" "nvidia-smi"; do
  # shellcheck disable=SC2086  # words of a command
  section machine.txt $command
done
section machine.txt bash -c 'ulimit -a'
section machine.txt df -h "$run" /tmp /dev/shm
# Only names, because command lines may contain secrets.
section processes.txt ps -eo pid,ppid,pgid,user,stat,wchan:24,nlwp,rss,etime,time,comm
section kernel.txt dmesg --time-format iso --level err,warn

# --- Ray
section ray/status.txt "$root/scripts/cluster.sh" status
if ! grep -q '^(exit code' "$to/ray/status.txt"; then
  # Ray's commands query the dashboard, and send a token only in mode "token".
  dashboard=$(sed -n 's/^cluster: dashboard *\(http[^ ]*\).*/\1/p' "$to/ray/status.txt")
  mode=$(grep -q 'asks for the token' "$to/ray/status.txt" && echo token || echo disabled)
  section ray/actors.txt env RAY_AUTH_MODE="$mode" RAY_ADDRESS="$dashboard" "$python" -m ray.scripts.scripts list actors --limit 1000
  section ray/nodes.txt env RAY_AUTH_MODE="$mode" RAY_ADDRESS="$dashboard" "$python" -m ray.scripts.scripts list nodes
fi
temp="${RAY_TMPDIR:-${TMPDIR:-/tmp}}"
# The four newest sessions of this user.
find "$temp" -maxdepth 3 -path '*/session_latest' -user "$(id -u)" -printf '%T@ %p\n' 2>/dev/null | sort -n | tail -n 4 | while read -r _ session; do
  of=$(realpath --relative-to="$temp" "$(dirname "$session")" | tr / _)
  find "$session/logs/" -maxdepth 1 -type f -size +0 -mmin -1440 2>/dev/null | sort | tail -n 200 | while read -r log; do
    end_of "$log" "ray/logs/$of/$(basename "$log")"
  done
done

# --- Remove secrets
"$python" - "$to" <<'PYTHON' || fail "could not remove secrets: nothing was written"
import os, pathlib, re, sys

folder = pathlib.Path(sys.argv[1])
SECRET = re.compile("TOKEN|KEY|SECRET|PASSW|CREDENTIAL|AUTH|COOKIE", re.I)
# Unknown variables may contain anything, so only these are kept.
KEPT = """PATH LD_LIBRARY_PATH PYTHONPATH VIRTUAL_ENV HOME TMPDIR SHELL TERM NO_COLOR LANG LC_ALL LC_CTYPE LC_NUMERIC
    DRAY_ACTOR_LIBRARY DRAY_CALLED_AS DRAY_CUDA DRAY_ENVS_LIBRARY DRAY_LIBRARY DRAY_PYTHON DRAY_PYTHON_MODULES DRAY_RAY_VERSION DRAY_SEARCH
    DRAY_TRAIN DRAY_VENV RAY_ADDRESS RAY_AUTH_MODE RAY_BACKEND_LOG_LEVEL RAY_TMPDIR RAY_USAGE_STATS_ENABLED RAY_metrics_report_interval_ms
    RAY_task_events_max_num_task_in_gcs RAY_task_events_max_dropped_task_attempts_tracked_per_job_in_gcs
    CUDA_VISIBLE_DEVICES NVIDIA_VISIBLE_DEVICES OMP_NUM_THREADS MKL_NUM_THREADS
    SLURM_CPUS_ON_NODE SLURM_GPUS_ON_NODE SLURM_JOB_ID SLURM_JOB_NUM_NODES SLURM_MEM_PER_NODE""".split()

secrets = {value for name, value in os.environ.items() if SECRET.search(name)}
home = pathlib.Path.home()
files = [os.environ.get("RAY_AUTH_TOKEN_PATH"), home / ".ray/auth_token", home / ".netrc"]
for file in filter(None, files):
    try:
        text = pathlib.Path(file).read_text(errors="replace")
    except OSError:
        continue
    secrets |= set(text.split())
# Short values are skipped: they would remove ordinary words from the logs, and no token is that short.
secrets = sorted((secret.strip() for secret in secrets if len(secret.strip()) >= 8), key=len, reverse=True)

kept = {name: value for name, value in os.environ.items() if name in KEPT}
lines = [f"{name}={value}\n" for name, value in sorted(kept.items())]
(folder / "environment.txt").write_text("".join(lines) + f"# {len(os.environ) - len(kept)} other variables are left out\n")

# Names of secrets, followed by a value: the rest of the line after SURE, only long values after MAYBE, which also has other meanings.
SURE = rb"secret|passw(?:or)?d|passphrase|_pass\b|_pwd\b|credential|cookie|api[_-]?key|access[_-]?key|private[_-]?key|signature|authorization"
MAYBE = rb"token|key|auth"
FLAG = rb"(?:--|\bsetenv\s+)[\w-]{0,64}(?:%s)[\w-]{0,64}[ \t]+"
QUOTED = rb"\"[^\"\n]+\"|'[^'\n]+'"
PATTERNS = [
    (re.compile(rb"(?i)((?:%s)[\w.-]{0,64}[\\\"'\])]*\s*[=:,]\s*|" % SURE + FLAG % SURE + rb").+"), rb"\1(removed)"),
    (re.compile(rb"(?i)((?:%s)[\w.-]{0,64}(?<!mode)[\"']?\s*[=:]\s*|" % MAYBE + FLAG % MAYBE + rb")(?:" + QUOTED + rb"|[^\s\"',;&}]{8,})"),
     rb"\1(removed)"),
    (re.compile(rb"(?i)((?:bearer|basic)\s+)[^\s\"',]{8,}"), rb"\1(removed)"),
    (re.compile(rb"(://[^/\s:@]*:)[^/\s@]+(@)"), rb"\1(removed)\2"),
    (re.compile(rb"(://)[^/\s:@]{8,}(@)"), rb"\1(removed)\2"),
    (re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.S), rb"(removed)"),
    # Tokens of GitHub, GitLab, AWS, Slack, OpenAI and others, Hugging Face, Google, npm, PyPI; JSON Web Tokens.
    (re.compile(rb"(?<![A-Za-z0-9])(?:gh[opusr]_|github_pat_|glpat-|xox[abeoprs]-|sk-|sk_(?:live|test)_|hf_|AIza|ya29\.|npm_|pypi-)[\w.-]{16,}"
                rb"|(?<![A-Za-z0-9])A[KS]IA[0-9A-Z]{16}\b|\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]+"), rb"(removed)"),
]
for path in folder.rglob("*"):
    if not path.is_file():
        continue
    data = path.read_bytes()
    for secret in secrets:
        data = data.replace(secret.encode(), b"(removed)")
    for pattern, replacement in PATTERNS:
        data = pattern.sub(replacement, data)
    path.write_bytes(data)
PYTHON

tar -C "$work" -czf "$archive" "$name" || fail "cannot write $archive"
printf 'diagnose: %s, %s files, %s\n' "$archive" "$(find "$to" -type f | wc -l)" "$(du -h "$archive" | cut -f1)"
