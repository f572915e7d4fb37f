#!/usr/bin/env python3
"""Runs one Ray node, a head or a node that joins one, until told to end; then ends exactly its processes.

The process is the leader of a session of its own, and everything that Ray starts is in that session: ending the node is
ending the session. Prints what was started as key=value lines, the last one "ready=1"; or "error=" and one line.
"""

import argparse
import atexit
import contextlib
import functools
import os
import pathlib
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TextIO

if not __package__:  # run as a file
    sys.path[0] = str(pathlib.Path(__file__).resolve().parent.parent)

from dray import address_note, auth, places, ports, start_queue, temp_folders
from dray.error import Error

# A unix socket's path has at most 107 bytes, and Ray adds "/session_<date>_<pid>/sockets/plasma_store.<n>" to the folder.
LONGEST_FOLDER = 107 - len("/session_2026-01-01_00-00-00_000000_4194304/sockets/plasma_store.10")
# Ray's name for "on this machine alone": its node goes by 127.0.0.1, which `--node-ip-address` does not take, and all of it
# listens there. Meant for systems whose firewall asks the user about every port.
MANY_MACHINES = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
# Calls that are over: by itself Ray's control service remembers so many of them that its memory grows for hours, to half a GB.
REMEMBERED_CALLS = {
    "RAY_task_events_max_num_task_in_gcs": "10000",
    "RAY_task_events_max_dropped_task_attempts_tracked_per_job_in_gcs": "10000",
}
LOOPBACK = ("", "127.0.0.1", "localhost", "::1")
# Messages of Ray's programs when a port is in use, or when they waited too long for one another.
WORTH_A_TRY = re.compile(
    r"address already in use|already occupied|failed to find a valid port|timed out waiting for file", re.IGNORECASE
)
AGENT_PORTS = (
    "dashboard-agent-listen-port",
    "dashboard-agent-grpc-port",
    "metrics-export-port",
    "runtime-env-agent-port",
)
CLIENT_SERVER = "--ray-client-server-port"
ENDING_S = 5
STUCK_S = 10
WATCH_S = 0.5

# Functions to call at the end, last one first; once, by the first thread that ends.
endings: list[Callable[[], object]] = []
ending = threading.Lock()  # never released
logs_may_go = threading.Event()
environment = dict(os.environ)  # before anything here has changed it
nodes: list[Any] = []  # Ray's node in this process, as soon as it starts
has_started = threading.Event()


class Passing(Error):
    """A failure that may not happen again: another program took a port first, or the machine was too busy."""


def main() -> None:
    arguments, ray_flags = parse_arguments()
    tell = os.fdopen(os.dup(1), "w", buffering=1)
    give_up = functools.partial(end_with, tries=arguments.tries, tell=tell, errors=os.dup(2))
    try:
        run(arguments, ray_flags, tell, give_up)
    except Error as error:
        give_up(error)


def parse_arguments() -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(prog="ray_node", description=__doc__.splitlines()[0])
    parser.add_argument("--join", metavar="ADDRESS", help="join this cluster; without it, start a head")
    parser.add_argument(
        "--address",
        default="",
        help="address of the head for other machines; auto: as Ray finds it; default: the head is only for this machine",
    )
    parser.add_argument("--port", type=int, default=0, help="port of the head (0: a free one)")
    parser.add_argument("--dashboard-host", default="127.0.0.1")
    parser.add_argument("--dashboard-port", type=int, default=0, help="0: 8265, or a free one if that is taken")
    parser.add_argument("--num-cpus", type=int)
    parser.add_argument("--num-gpus", type=int)
    parser.add_argument("--object-store-gb", type=float)
    parser.add_argument(
        "--temp-dir",
        default="",
        help="Ray's lies in there, below one of this user's; default: a new folder, removed at the end; see --until-stdin-closes",
    )
    parser.add_argument("--auth", choices=("token", "disabled"), default="token")
    parser.add_argument(
        "--until-stdin-closes",
        action="store_true",
        help="end when the process that holds standard input ends; logs are kept unless it sent done",
    )
    parser.add_argument(
        "--tries",
        type=int,
        default=3,
        help="number of attempts, for when other programs take the ports meanwhile or the machine is too busy",
    )
    known = sys.argv[1:]
    ray_flags = []
    if "--" in known:
        cut = known.index("--")
        known, ray_flags = known[:cut], known[cut + 1 :]
    return parser.parse_args(known), ray_flags


def run(arguments: argparse.Namespace, ray_flags: list[str], tell: TextIO, give_up: Callable[[Error], Any]) -> None:
    if os.getsid(0) != os.getpid():
        os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # until Ray sets its own
    if arguments.until_stdin_closes:
        threading.Thread(target=end_with_stdin, daemon=True).start()
    atexit.register(end)
    folder = make_folder(arguments.temp_dir)
    endings.append(end_session)
    prepare_token(arguments.auth, joining=bool(arguments.join))
    slot = start_queue.enter(lambda waiting: print(f"queued={int(waiting)}", file=tell))
    print("starting=1", file=tell)
    command = ray_command(arguments, folder) + ray_flags
    start(command, folder, tell, give_up, node_is_up=slot.close)


def end_with(error: Error, tries: int, tell: TextIO, errors: int) -> NoReturn:
    """Ends this process with the error's line, or restarts it with other ports.

    Only the first thread that calls it gets through.
    """
    ending.acquire()
    again = isinstance(error, Passing) and tries > 1
    if again:
        logs_may_go.set()
    end()
    if again:  # with the same process id and the same pipes
        os.dup2(tell.fileno(), 1)
        os.dup2(errors, 2)
        words = [word for word in sys.argv[1:] if not word.startswith("--tries=")]
        os.execve(
            sys.executable, [sys.executable, os.path.abspath(__file__), f"--tries={tries - 1}", *words], environment
        )
    with contextlib.suppress(OSError):  # whoever started us has gone
        print(f"error={error}", file=tell)
    os._exit(1)


def end_with_stdin() -> None:
    """Ends the node when standard input closes, which happens when the parent ends, however it ends."""
    said = b""
    while part := os.read(0, 4096):
        said += part
    if said == b"done\n" and not dead_part():
        logs_may_go.set()
    os.kill(os.getpid(), signal.SIGTERM)
    # Told to end while it is ending already, because a part of it died, Ray waits for itself for ever.
    time.sleep(STUCK_S)
    end()
    os._exit(1)


def end() -> None:
    """Runs all endings, the last one first."""
    while endings:
        endings.pop()()


def make_folder(given: str) -> str:
    """Creates Ray's folder below a private one, because Ray opens its own to everyone."""
    temp_folders.remove_leftovers()
    own, owner = temp_folders.make_own()
    endings.append(owner.close)  # and with it open until then
    endings.append(lambda: temp_folders.remove(own, keep_logs=not logs_may_go.is_set()))
    # Ray's dashboard leaves a folder of Python's multiprocessing behind whenever it is killed.
    os.environ["TMPDIR"] = str(own)
    if given:
        folder = temp_folders.make_private(temp_folders.of_user(os.path.abspath(given))) / "ray"
    else:
        folder = own / temp_folders.RAY
    if len(str(folder)) > LONGEST_FOLDER:
        raise Error(
            f"temp folder {folder} is longer than {LONGEST_FOLDER} characters, too long for Ray's sockets: give a shorter --temp-dir, or set RAY_TMPDIR"
        )
    folder.mkdir(exist_ok=True)
    return str(folder)


def prepare_token(mode: str, joining: bool) -> None:
    os.environ[auth.MODE] = mode
    if mode == "token" and not auth.token_source():
        if joining:
            raise Error("the cluster requires a token, and there is none here: copy ~/.ray/auth_token from the head")
        auth.make_token()
    auth.close_to_others()


def ray_command(arguments: argparse.Namespace, folder: str) -> list[str]:
    command = ["start", "--block", "--disable-usage-stats", f"--temp-dir={folder}"]
    # Ray's defaults are fixed numbers here, which a second cluster on this machine would share.
    command += ["--min-worker-port=0", "--max-worker-port=0"]
    # For a port that it chooses itself Ray waits 15 or 30 s, too short on a busy machine, and nothing else here runs meanwhile.
    command += [f"--{name}={ports.claim_any()}" for name in AGENT_PORTS]
    if arguments.num_cpus is not None:
        command.append(f"--num-cpus={arguments.num_cpus}")
    if arguments.num_gpus is not None:
        command.append(f"--num-gpus={arguments.num_gpus}")
    if arguments.object_store_gb is not None:
        command.append(f"--object-store-memory={int(arguments.object_store_gb * 1e9)}")
    for name, value in REMEMBERED_CALLS.items():
        os.environ.setdefault(name, value)
    os.environ[MANY_MACHINES] = "0" if not arguments.join and arguments.address in LOOPBACK else "1"
    if arguments.join:
        return command + [f"--address={arguments.join}"]
    if arguments.address not in (*LOOPBACK, "auto"):
        if not address_note.is_this_machine(arguments.address):
            raise Error(
                f"--address {arguments.address} is not an address of this machine: give one that `hostname -I` prints, or auto"
            )
        command.append(f"--node-ip-address={arguments.address}")
    # A head left over from an earlier cluster keeps its port and would answer in place of ours.
    if arguments.port and not ports.claim(arguments.port):
        raise Error(
            f"port {arguments.port} is taken: end what listens there (scripts/cluster.sh stop), or give another --port"
        )
    if arguments.dashboard_port and not ports.claim(arguments.dashboard_port):
        raise Error(f"dashboard port {arguments.dashboard_port} is taken: give another --dashboard-port")
    dashboard_port = arguments.dashboard_port or ports.claim_any(8265)
    # Ray's own numbers are for clusters that others collect metrics of; a `ray start` beside them would take the same.
    for name, usual in (("AUTOSCALER_METRIC_PORT", 44217), ("DASHBOARD_METRIC_PORT", 44227)):
        os.environ[name] = str(ports.claim_any(None if arguments.until_stdin_closes else usual))
    return command + [
        "--head",
        f"--port={arguments.port or ports.claim_any()}",
        f"--dashboard-host={arguments.dashboard_host}",
        f"--dashboard-port={dashboard_port}",
    ]


def start(
    command: Sequence[str], folder: str, tell: TextIO, give_up: Callable[[Error], Any], node_is_up: Callable[[], object]
) -> NoReturn:
    """Becomes `ray start --block` and reports when the node is up."""
    # A drain is for servers; actors of a run that has ended would hold it up for half a minute.
    os.environ["RAY_GRACEFUL_SHUTDOWN_DRAIN_TIMEOUT_S"] = "0"
    log_path = os.path.join(folder, f"ray_start_{os.getpid()}.log")
    log = os.open(log_path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    try:
        import ray._private.node
        import ray._private.utils
        from ray.scripts.scripts import cli
    except ImportError as error:
        raise Error(places.without_ray(error)) from None

    class Node(ray._private.node.Node):
        """Ray's node, except that it starts only if all of its parts do, and leaves nothing behind when one of them
        dies.
        """

        def __init__(self, *words: Any, **named: Any) -> None:
            nodes.append(self)
            threading.Thread(target=self.end_with_any_part, daemon=True).start()
            super().__init__(*words, **named)
            has_started.set()
            if is_passing(log_path, folder):
                raise Error("a part of it has failed")

        def end_with_any_part(self) -> None:
            """Ends the start when a part dies; Ray itself waits up to a minute for its answer."""
            while not has_started.wait(WATCH_S):
                if dead_part():
                    give_up(did_not_start("a part of it has ended", log_path, folder))

        def start_ray_client_server(self) -> None:
            """Starts the server for ray:// addresses only on request: no driver of ours uses them."""
            if any(word.startswith(CLIENT_SERVER) for word in command):
                super().start_ray_client_server()

        def kill_all_processes(self, *words: Any, **named: Any) -> None:
            super().kill_all_processes(*words, **named)
            end()

    ray._private.node.Node = Node
    write_address = ray._private.utils.write_ray_address

    def tell_address(address: str, temp_dir: Any = None) -> None:
        node_is_up()
        write_address(address, temp_dir)
        endings.append(lambda: forget_address(address, folder))
        print(f"pid={os.getpid()}\naddress={address}\ntemp_dir={folder}\nready=1", file=tell)

    # The last thing that `ray start` does before it waits.
    ray._private.utils.write_ray_address = tell_address
    try:
        cli(command, standalone_mode=False)
        reason = "it ended at once"
    except Exception as error:  # whatever Ray throws, the user reads one line
        reason = (str(error).splitlines() or [""])[0] or type(error).__name__
    raise did_not_start(reason, log_path, folder)


def did_not_start(reason: str, log_path: str, folder: str) -> Error:
    """Returns the error to end with; a part that has ended is the reason for whatever Ray complains about."""
    if part := dead_part():
        line = f"Ray did not start (its {part} has ended); see {log_of(part, folder) or log_path}"
    else:
        line = f"Ray did not start ({reason}); its output was:{last_lines(log_path)}"
        if WORTH_A_TRY.search(reason):
            return Passing(line)
    return (Passing if is_passing(log_path, folder) else Error)(line)


def dead_part() -> str:
    """Returns the name of a part of Ray that has ended; empty if there is none."""
    with contextlib.suppress(AttributeError, RuntimeError):  # Ray's table of its parts is being made
        for node in nodes:
            for part, _ in node.dead_processes():
                return str(part)
    return ""


def is_passing(log_path: str, folder: str) -> bool:
    """Checks Ray's output and logs for a failure that may not happen again."""
    files = [pathlib.Path(log_path), *logs_of_session(folder)]
    return any(WORTH_A_TRY.search(file.read_text(errors="replace")) for file in files)


def log_of(part: str, folder: str) -> pathlib.Path | None:
    """Returns the most useful log file of a part of Ray; None if there is none."""
    found = [file for file in logs_of_session(folder) if file.stem == part]
    return max(found, key=lambda file: (file.stat().st_size > 0, file.stat().st_mtime), default=None)


def logs_of_session(folder: str) -> list[pathlib.Path]:
    """Returns the log files of the session that this process started; Ray names it after the time and the process."""
    sessions = sorted(pathlib.Path(folder).glob(f"session_*_{os.getpid()}"))
    return [file for session in sessions[-1:] for file in (session / "logs").glob("*.*") if file.is_file()]


def last_lines(path: str) -> str:
    lines = [line.strip() for line in pathlib.Path(path).read_text(errors="replace").splitlines() if line.strip()]
    return " … ".join([""] + lines[-2:])


def forget_address(address: str, folder: str) -> None:
    """Removes the note that Ray leaves for drivers, unless another cluster has overwritten it."""
    file = pathlib.Path(folder) / "ray_current_cluster"
    try:
        if file.read_text().strip() == address:
            file.unlink()
    except OSError:
        pass


def end_session() -> None:
    """Kills the rest of our session: Ray's agents outlive their node by half a minute."""
    deadline = time.monotonic() + ENDING_S
    while (left := others_of_session()) and time.monotonic() < deadline:
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.05)


def others_of_session() -> list[int]:
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            # "pid (name) state ppid pgrp session …", where the name may hold anything.
            state, _, _, session = (folder / "stat").read_text().rpartition(")")[2].split()[:4]
        except (OSError, ValueError):
            continue
        pid = int(folder.name)
        if int(session) == os.getpid() and pid != os.getpid() and state != "Z":
            found.append(pid)
    return found


if __name__ == "__main__":
    main()
