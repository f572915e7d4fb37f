#!/usr/bin/env bash
# Starts a Ray head, joins a node to it, shows the cluster's state, and stops only what it started.
set -euo pipefail

usage() {
  cat <<'TEXT'
Usage: scripts/cluster.sh start [options] [-- flags of ray start]
       scripts/cluster.sh join ADDRESS [options] [-- flags of ray start]
       scripts/cluster.sh status [--port N] [--temp-dir D]
       scripts/cluster.sh stop [--port N] [--temp-dir D]

  start    starts a head on this machine, with token authentication; creates the token if there is none (~/.ray/auth_token)
  join     adds this machine to the cluster at ADDRESS; needs the head's token here
  status   shows address, dashboard, nodes and free resources of the cluster at RAY_ADDRESS, else of the one on this machine
  stop     stops what this script started on this machine, and no other Ray

  --address A          start: allow other machines to join at address A (auto: the address that Ray finds); listens on all addresses
  --port N             start: the head's port (default 6379; 0: any free port). stop, status: only the cluster with this port
  --dashboard-host H   address the dashboard listens on (default 127.0.0.1; 0.0.0.0: all addresses)
  --dashboard-port N   port of the dashboard (default 8265, or a free port if that is taken)
  --num-cpus N         CPUs that Ray may use (default: all)
  --num-gpus N         GPUs that Ray may use (default: all that it finds)
  --object-store-gb X  shared memory for objects (default: 30 % of the memory)
  --temp-dir D         put Ray's sessions, logs and sockets into D/dray_UID/ray, which is private; D must be short (default: RAY_TMPDIR, TMPDIR or /tmp)
  --no-auth            start: no token; anyone who can reach the port can run code here

Without --address, everything listens on 127.0.0.1. To run a second cluster on one machine, give it another --port and --temp-dir.
Environment: DRAY_VENV  folder of the virtual environment (default .venv); DRAY_PYTHON  interpreter (default: the one in DRAY_VENV)
TEXT
}

say() { printf 'cluster: %s\n' "$*"; }
fail() { printf 'cluster: %s\n' "$*" >&2; exit 1; }
misuse() { printf 'cluster: %s; see scripts/cluster.sh --help\n' "$*" >&2; exit 2; }

root=$(cd "$(dirname "$0")/.." && pwd)
modules="$root/src/python/dray"
venv="${DRAY_VENV:-$root/.venv}"
python="${DRAY_PYTHON:-$venv/bin/python}"
START_S=300
STOP_S=20

command="${1:-}"
case "$command" in
  start|join|status|stop) shift ;;
  -h|--help) usage; exit 0 ;;
  "") misuse "give a command: start, join, status or stop" ;;
  *) misuse "unknown command $command" ;;
esac

default_temp="${RAY_TMPDIR:-${TMPDIR:-/tmp}}"
temp="$default_temp"
port="" address="" auth=token
node_flags=() ray_flags=()
while [ $# -gt 0 ]; do
  case "$1" in
    --*=*) set -- "${1%%=*}" "${1#*=}" "${@:2}" ;;
  esac
  case "$1" in
    --address|--port|--dashboard-host|--dashboard-port|--num-cpus|--num-gpus|--object-store-gb|--temp-dir)
      [ $# -ge 2 ] && [ -n "$2" ] || misuse "$1 needs a value" ;;
  esac
  case "$1" in
    --port|--dashboard-port|--num-cpus|--num-gpus) [[ "$2" =~ ^[0-9]+$ ]] || misuse "$1 $2: want a whole number" ;;
    --object-store-gb) [[ "$2" =~ ^[0-9]*\.?[0-9]+$ ]] || misuse "$1 $2: want a number of gigabytes" ;;
  esac
  case "$1" in
    --address|--dashboard-host|--dashboard-port|--no-auth) [ "$command" = start ] || misuse "$1 is an option of start" ;;
    --num-cpus|--num-gpus|--object-store-gb|--) [[ "$command" = start || "$command" = join ]] || misuse "$1 is not an option of $command" ;;
    --port) [ "$command" != join ] || misuse "join takes the port with the address" ;;
  esac
  case "$1" in
    --port) port="$2"; shift 2 ;;
    --temp-dir) temp="$2"; shift 2 ;;
    --address|--dashboard-host|--dashboard-port|--num-cpus|--num-gpus|--object-store-gb) node_flags+=("$1" "$2"); shift 2 ;;
    --no-auth) auth=disabled; shift ;;
    --) shift; ray_flags=(-- "$@"); break ;;
    -h|--help) usage; exit 0 ;;
    -*) misuse "unknown option $1" ;;
    *) [ "$command" = join ] && [ -z "$address" ] || misuse "unknown argument $1"; address="$1"; shift ;;
  esac
done
[ -x "$python" ] || fail "no virtual environment at $venv: run scripts/setup.sh first"
temp=$(realpath -m "$temp")
private="$temp/dray_$(id -u)"  # accessible only to this user; same path as in dray/temp_folders.py
nodes="$private/nodes"  # the output of dray/ray_node.py, one file per node started by this script
# Options with which later commands find this cluster.
where=""
[ "$temp" = "$(realpath -m "$default_temp")" ] || where=" --temp-dir $temp"

# value FILE KEY: prints the value of a key in a file of key=value lines
value() { sed -n "s/^$2=//p" "$1" | head -n 1; }

gigabytes() { awk -v bytes="$1" 'BEGIN { printf "%.1f GB", bytes / 1e9 }'; }

# runs FILE: succeeds if the process in the file is still running and is a node
runs() {
  local pid
  pid=$(value "$1" pid)
  [ -n "$pid" ] && tr '\0' '\n' 2>/dev/null <"/proc/$pid/cmdline" | grep -q 'dray/ray_node.py$'
}

# check FLAGS...: checks the cluster and leaves the result in $report
check() {
  report=$(mktemp)
  trap 'rm -f "$report"' EXIT
  "$python" "$modules/cluster_check.py" --format lines "$@" >"$report" || true
  local note error
  sed -n 's/^note=/cluster: /p' "$report"
  error=$(value "$report" error)
  [ -z "$error" ] || fail "$error"
}

describe() {
  say "Ray $(value "$report" ray_version) at $(value "$report" address): $(value "$report" nodes) node(s)," \
    "$(value "$report" available_cpus) of $(value "$report" total_cpus) CPUs free," \
    "$(value "$report" available_gpus) of $(value "$report" total_gpus) GPUs free," \
    "$(gigabytes "$(value "$report" total_memory_bytes)") memory," \
    "$(gigabytes "$(value "$report" total_object_store_bytes)") object store"
  local dashboard
  dashboard=$(value "$report" dashboard_url)
  if [ -z "$dashboard" ]; then
    say "dashboard   none (ray[default] is not installed)"
  elif [ "$(value "$report" auth)" = token ]; then
    say "dashboard   $dashboard   (asks for the token: ray get-auth-token)"
  else
    say "dashboard   $dashboard"
  fi
}

# launch FLAGS...: starts a node in the background, in its own session, and waits until it is ready; its file is in $node
launch() {
  mkdir -p "$temp" 2>/dev/null || fail "cannot create $temp: give another --temp-dir"
  mkdir -m 700 "$private" 2>/dev/null || [[ -d "$private" && -O "$private" && ! -L "$private" ]] ||
    fail "$private cannot be created or belongs to someone else: give another --temp-dir"
  chmod 700 "$private"
  mkdir -p "$nodes"
  node="$nodes/$(date +%s)-$$"
  : >"$node"
  setsid "$python" "$modules/ray_node.py" --temp-dir "$temp" "$@" >"$node" 2>"$node.err" </dev/null &
  local pid=$! deadline=$((SECONDS + START_S)) error
  # If the start is interrupted, do not leave a half-started node behind.
  trap 'kill -TERM "$pid" 2>/dev/null || true; rm -f "$node" "$node.err"; exit 130' INT TERM
  until grep -qE '^(ready|error)=' "$node"; do
    if ! kill -0 "$pid" 2>/dev/null; then
      if grep -q '^error=' "$node"; then break; fi
      error=$(tail -n 1 "$node.err"); rm -f "$node" "$node.err"; fail "Ray did not start: ${error:-it printed no error}"
    fi
    grep -q '^starting=' "$node" || deadline=$((SECONDS + START_S))  # still waiting for other nodes to start
    [ $SECONDS -lt $deadline ] || { end "$pid"; rm -f "$node" "$node.err"; fail "Ray was not ready after $START_S s: see $private/ray/session_latest/logs"; }
    sleep 0.1
  done
  trap - INT TERM
  error=$(value "$node" error)
  rm -f "$node.err"
  if [ -n "$error" ]; then rm -f "$node"; fail "$error"; fi
}

# end PID: ends the node with this process: its whole session and nothing else
end() {
  local pid="$1" deadline=$((SECONDS + STOP_S))
  kill -TERM "$pid" 2>/dev/null || true
  while kill -0 "$pid" 2>/dev/null && [ $SECONDS -lt $deadline ]; do sleep 0.1; done
  pkill -KILL -s "$pid" 2>/dev/null || true
}

start() {
  launch --port "${port:-6379}" --auth "$auth" "${node_flags[@]}" "${ray_flags[@]}"
  local pid session
  pid=$(value "$node" pid)
  check --address "$(value "$node" address)"
  session=$(value "$report" session)
  # A head left over from an earlier cluster may still hold the port and answer instead.
  [[ "$session" = *_"$pid" ]] || { end "$pid"; rm -f "$node"; fail "another Ray ($session) answers at $(value "$node" address): stop it, or give another --port"; }
  address=$(value "$report" address)
  describe
  say "train       RAY_ADDRESS=$address bazel run //:train"
  case "$address" in
    127.0.0.1:*|\[::1\]:*)
      say "ray itself  RAY_AUTH_MODE=$auth RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER=0 RAY_ADDRESS=$address $(dirname "$python")/ray status"
      say "more nodes  not possible: other machines can join only with start --address" ;;
    *)
      say "listens     on all addresses of this machine; metrics need no token: see docs/ray.md for firewall rules"
      local token=""
      [ "$auth" != token ] || token="mkdir -p -m 700 ~/.ray; scp $(hostname):.ray/auth_token ~/.ray/; "
      say "more nodes  on the other machine: scripts/setup.sh; ${token}scripts/cluster.sh join $address" ;;
  esac
  say "stop        scripts/cluster.sh stop$where${port:+ --port ${address##*:}}"
}

join() {
  [ -n "$address" ] || misuse "join needs the head's address, as in join 10.0.0.1:6379"
  check --address "$address"
  address=$(value "$report" address)
  [[ "$address" != 127.0.0.1:* && "$address" != "[::1]:"* ]] || fail "the head at $address accepts only its own machine: start it with scripts/cluster.sh start --address"
  launch --join "$address" --auth "$(value "$report" auth)" "${node_flags[@]}" "${ray_flags[@]}"
  check --address "$address"
  describe
  say "stop        scripts/cluster.sh stop$where   (only this node)"
}

# Prints the files of nodes that are still running and match --port; removes those of nodes that have ended.
running_nodes() {
  local file
  # Files written by someone else could make us end processes, or send the token to their address.
  [[ -O "$private" && ! -L "$private" ]] || return 0
  for file in "$nodes"/*; do
    [ -f "$file" ] || continue
    if ! runs "$file"; then rm -f "$file"; continue; fi
    [ -z "$port" ] || [[ "$(value "$file" address)" = *:"$port" ]] || continue
    printf '%s\n' "$file"
  done
}

status() {
  local file="" flags=()
  if [ -n "$where$port" ]; then
    file=$(running_nodes | tail -n 1)
    [ -n "$file" ] || { say "no cluster started by this script is running here${port:+ at port $port}${where:+ under $temp}"; exit 1; }
    flags=(--address "$(value "$file" address)")
  fi
  check "${flags[@]}"
  [ "$(value "$report" found)" = 1 ] || { say "no Ray cluster is running on this machine, and RAY_ADDRESS is not set: run scripts/cluster.sh start"; exit 1; }
  describe
}

stop() {
  local files=() file
  mapfile -t files < <(running_nodes)
  [ ${#files[@]} -gt 0 ] || { say "nothing to stop: no cluster started by this script is running here${port:+ at port $port}${where:+ under $temp}"; exit 0; }
  for file in "${files[@]}"; do
    address=$(value "$file" address)
    end "$(value "$file" pid)"
    rm -f "$file"
    say "stopped the node at $address"
  done
}

"$command"
