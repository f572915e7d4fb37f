#!/usr/bin/env python3
"""Describes a Ray cluster, or says in one line why a driver cannot use it.

Ray's own connection waits half a minute and then aborts with a stack trace; this asks first, with time limits of its
own, and without joining the cluster unless other machines have to be looked at.
"""

import argparse
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import socket
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

if not __package__:  # run as a file
    sys.path[0] = str(pathlib.Path(__file__).resolve().parent.parent)

from dray import address_note, auth, places
from dray.address_note import is_this_machine

ANSWER_S = 5  # for one answer of the head
CONNECT_S = 15  # for the first, which is slow where the machine is busy
OTHER_NODES_S = 40  # for starting a Python worker on every other node
RELEASE_S = 15  # for what a run held that has ended, as nobody else lives
ENDING_S = 3  # for the head to notice that a driver was killed


class Trouble(Exception):
    """A problem in one line: what is wrong, where, and what to do next."""


def main() -> None:
    arguments = parse_arguments()
    # Ray's C++ code writes its warnings straight to the standard error; all there is to say is in the report.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    report = {"found": False, "notes": []}
    # Ray's client has waits that no time limit of its own reaches.
    limit_s = CONNECT_S + 3 * ANSWER_S + RELEASE_S + OTHER_NODES_S
    watchdog = threading.Timer(limit_s, give_up, (arguments.format, report, limit_s))
    watchdog.daemon = True
    watchdog.start()
    try:
        check(arguments, report)
    except Trouble as trouble:
        report["error"] = str(trouble)
    except Exception as error:  # whoever reads this gets one line, whatever happens
        report["error"] = f"the check of the cluster failed ({type(error).__name__}: {' '.join(str(error).split())})"
    watchdog.cancel()
    finish(arguments.format, report)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="cluster_check", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--address", default="", help="host:port, or auto; default RAY_ADDRESS, else the running cluster"
    )
    parser.add_argument("--find", action="store_true", help="only look for the running cluster's address; needs no Ray")
    parser.add_argument("--driver", action="store_true", help="check what a C++ driver on this machine needs, too")
    parser.add_argument("--files", default="", help="comma-separated files that every node must have")
    parser.add_argument("--expect-version", default="", help="Ray's version that this program was built with")
    parser.add_argument("--format", choices=("json", "lines"), default="json")
    return parser.parse_args()


def finish(style: str, report: dict[str, Any]) -> NoReturn:
    """Prints the report and ends the process without running destructors, some of which wait."""
    if style == "json":
        print(json.dumps(report))
    else:
        for name, value in report.items():
            if name == "nodes":
                print(f"nodes={sum(node['alive'] for node in value)}")
            elif name == "notes":
                print("".join(f"note={note}\n" for note in value), end="")
            elif isinstance(value, dict):
                print("\n".join(f"{name}_{part}={amount:.12g}" for part, amount in value.items()))
            else:
                print(f"{name}={int(value) if isinstance(value, bool) else value}")
    sys.stdout.flush()
    os._exit(1 if "error" in report else 0)


def give_up(style: str, report: dict[str, Any], limit_s: float) -> NoReturn:
    report["error"] = (
        f"the cluster at {report.get('address', '?')} gave no complete answer in {limit_s} s: is it overloaded?"
    )
    finish(style, report)


def check(arguments: argparse.Namespace, report: dict[str, Any]) -> None:
    address, origin, named = find_address(arguments.address, report["notes"])
    if not address:
        return
    report.update(found=True, address=address)
    if arguments.find:
        return
    host, port = split_address(address, origin)
    must_listen(host, port, address, origin)
    must_speak_http2(host, port, address)

    import_ray()
    client, report["auth"] = connect(address)
    if report["auth"] == "disabled":
        take_without_token(address, named, report["notes"])
    describe(client, report, port)
    check_versions(report, arguments.expect_version)
    if arguments.driver:
        must_have_this_machine(report)
        await_release(client, report, port)
    files = [name for name in arguments.files.split(",") if name]
    if arguments.driver or files:
        check_nodes(report, files)


# --- Finding the address -------------------------------------------------------------------------------------------


def find_address(given: str, notes: list[str]) -> tuple[str, str, bool]:
    """Returns the address, its source, and whether the user named it; an empty address if no cluster runs here."""
    origin = "--address"
    if not given:
        given, origin = os.environ.get("RAY_ADDRESS", ""), "RAY_ADDRESS"
    if given and given != "auto":
        return given, f"{origin}={given}", True
    for file in address_note.places():
        address, doubt = address_note.read(file)
        if address and not is_listening(address):
            doubt = f"names {address}, where nothing listens any more"
        elif address:
            doubt = address_note.why_not_to_trust(file, address)
        if doubt:
            notes.append(f"{file} {doubt}: ignored")
        elif address:
            return address, str(file), False
    if given == "auto":
        because = f" ({notes[0]})" if notes else ""
        raise Trouble(
            f"{origin}=auto, but no Ray cluster runs on this machine: start one with scripts/cluster.sh start{because}"
        )
    return "", "", False


def split_address(address: str, origin: str) -> tuple[str, int]:
    if address.startswith("ray://"):
        raise Trouble(
            f"{origin} is the address of a Ray Client server, which C++ programs cannot use: "
            "give the head's host:port (its port is 6379 unless told otherwise)"
        )
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdigit() or not 0 < int(port) < 65536:
        raise Trouble(f"{origin} is not an address: expected host:port, such as 10.0.0.1:6379, or auto")
    return host.strip("[]"), int(port)


# --- Reaching it ---------------------------------------------------------------------------------------------------


def is_listening(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER_S).close()
        return True
    except (OSError, ValueError):
        return False


def must_listen(host: str, port: int, address: str, origin: str) -> None:
    try:
        socket.create_connection((host, port), timeout=ANSWER_S).close()
    except OSError as error:
        reason = f"no answer in {ANSWER_S} s" if isinstance(error, TimeoutError) else error.strerror or str(error)
        raise Trouble(
            f"no Ray at {address} ({reason}; from {origin.partition('=')[0]}): "
            "start one with scripts/cluster.sh start, or correct the address"
        ) from None


def must_speak_http2(host: str, port: int, address: str) -> None:
    """Checks for HTTP/2, which Ray's head speaks; Ray's client would wait long for any other server."""
    settings = 4  # the frame type of the first thing that any HTTP/2 server sends
    answer = b""
    try:
        with socket.create_connection((host, port), timeout=ANSWER_S) as connection:
            connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, settings, 0, 0, 0, 0, 0]))
            while len(answer) < 9:
                received = connection.recv(9 - len(answer))
                if not received:
                    break
                answer += received
    except OSError:
        pass
    if len(answer) < 9 or answer[3] != settings:
        raise Trouble(f"the server at {address} does not answer like a Ray head: correct the address, or restart Ray")


def import_ray() -> None:
    # The probe below decides about the token; what the user has set must not decide before it.
    os.environ.pop(auth.MODE, None)
    os.environ["RAY_py_gcs_connect_timeout_s"] = str(CONNECT_S)
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    try:
        import ray  # noqa: F401
    except ImportError as error:
        raise Trouble(places.without_ray(error)) from None


def connect(address: str) -> tuple[Any, str]:
    """Returns a client of the head, and "token" or "disabled": whether the head requires a token."""
    from ray.exceptions import AuthenticationError

    try:
        return client_of(address), "disabled"
    except AuthenticationError:
        pass
    source = auth.token_source()
    if not source:
        raise Trouble(
            f"the cluster at {address} requires a token, and there is none here: copy ~/.ray/auth_token from the head, "
            "or set RAY_AUTH_TOKEN or RAY_AUTH_TOKEN_PATH"
        )
    from ray._raylet import Config

    auth.close_to_others()
    os.environ[auth.MODE] = "token"
    Config.initialize("")  # reads the environment again
    try:
        return client_of(address), "token"
    except AuthenticationError:
        raise Trouble(
            f"the cluster at {address} rejects the token of {source}: it must be the one of the head's ~/.ray/auth_token"
        ) from None


def take_without_token(address: str, named: bool, notes: list[str]) -> None:
    if not named and not address_note.started_by_this_user(address):
        raise Trouble(
            f"the cluster at {address} requires no token and was not started by you on this machine: "
            f"set RAY_ADDRESS={address} to use it anyway"
        )
    notes.append(
        f"the cluster at {address} requires no token: anyone who reaches its port can run code here; scripts/cluster.sh start sets one"
    )


def client_of(address: str) -> Any:
    from ray._raylet import GcsClient
    from ray.exceptions import RpcError

    try:
        return GcsClient(address=address, cluster_id=None)
    except RpcError as error:
        reason = str(error).splitlines()[0]
        raise Trouble(f"the server at {address} is not a Ray head, or of another Ray version ({reason})") from None


# --- What it is ----------------------------------------------------------------------------------------------------


def describe(client: Any, report: dict[str, Any], port: int) -> None:
    from ray.exceptions import RaySystemError, RpcError

    try:
        read_tables(client, report, port)
    except (RaySystemError, RpcError) as error:
        reason = str(error).splitlines()[0]
        raise Trouble(f"the cluster at {report['address']} gives incomplete answers ({reason}): restart it") from None


def read_tables(client: Any, report: dict[str, Any], port: int) -> None:
    from ray.core.generated import autoscaler_pb2, gcs_pb2

    metadata = json.loads(client.internal_kv_get(b"CLUSTER_METADATA", b"cluster", timeout=ANSWER_S) or b"{}")
    web = client.internal_kv_get(b"webui:url", b"dashboard", timeout=ANSWER_S)
    session = client.internal_kv_get(b"session_name", b"session", timeout=ANSWER_S)
    state = autoscaler_pb2.GetClusterResourceStateReply()
    state.ParseFromString(client.get_cluster_resource_state(timeout_s=ANSWER_S))
    free = {node.node_id: node.available_resources for node in state.cluster_resource_state.node_states}

    report["ray_version"] = metadata.get("ray_version", "unknown")
    report["dashboard_url"] = f"http://{web.decode()}" if web else ""
    report["session"] = (session or b"").decode()
    report["temp_dir"] = ""
    report["nodes"], available = [], []
    for info in client.get_all_node_info(timeout=ANSWER_S).values():
        alive = info.state == gcs_pb2.GcsNodeInfo.ALIVE
        here = is_this_machine(info.node_manager_address)
        report["nodes"].append(
            dict(id=info.node_id.hex(), ip=info.node_manager_address, alive=alive, is_this_machine=here)
            | amounts(info.resources_total)
        )
        if not alive:
            continue
        available.append(amounts(free.get(info.node_id, {})))
        if info.is_head_node:
            # A driver that is told 127.0.0.1 does not find its node, which is registered under the machine's address.
            host = info.node_manager_address
            report["address"] = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        if here and (info.is_head_node or not report["temp_dir"]):
            report["temp_dir"] = info.temp_dir
            report["raylet_socket"] = info.raylet_socket_name
    report["total"] = added([node for node in report["nodes"] if node["alive"]])
    report["available"] = added(available)
    if not any(node["alive"] for node in report["nodes"]):
        raise Trouble(f"the cluster at {report['address']} has a head process but no live node: restart it")


_RESOURCES = {"cpus": "CPU", "gpus": "GPU", "memory_bytes": "memory", "object_store_bytes": "object_store_memory"}


def amounts(resources: Mapping[str, float]) -> dict[str, float]:
    found = {name: dict(resources).get(key, 0.0) for name, key in _RESOURCES.items()}
    return {name: int(value) if name.endswith("bytes") else value for name, value in found.items()}


def added(parts: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    return {name: sum(part[name] for part in parts) for name in _RESOURCES}


# --- Whether a driver can use it -----------------------------------------------------------------------------------


def check_versions(report: dict[str, Any], expected: str) -> None:
    here = importlib.metadata.version("ray")
    if expected and expected != here:
        raise Trouble(
            f"this program was built with Ray {expected}, and {sys.executable} has Ray {here}: run scripts/setup.sh, build again"
        )
    if report["ray_version"] != here:
        raise Trouble(
            f"the cluster at {report['address']} runs Ray {report['ray_version']}, this machine has Ray {here}: "
            "install the same on every machine (scripts/setup.sh)"
        )


def await_release(client: Any, report: dict[str, Any], port: int) -> None:
    """Waits until the head counts the CPUs of a run that has just ended as free, which takes a second or more."""
    started = time.monotonic()
    while any(report["available"][name] < report["total"][name] for name in ("cpus", "gpus")):
        waited_s = time.monotonic() - started
        if waited_s > (ENDING_S if has_living_jobs(client) else RELEASE_S):
            return
        time.sleep(0.2)
        describe(client, report, port)


def has_living_jobs(client: Any) -> bool:
    jobs = client.get_all_job_info(timeout=ANSWER_S).values()
    # Ray's own, of the dashboard say, hold nothing.
    return any(not job.is_dead and not job.config.ray_namespace.startswith("_ray_internal") for job in jobs)


def must_have_this_machine(report: dict[str, Any]) -> None:
    if not any(node["alive"] and node["is_this_machine"] for node in report["nodes"]):
        raise Trouble(
            f"this machine is not a node of the cluster at {report['address']}, and a driver must run on one: "
            f"scripts/cluster.sh join {report['address']}"
        )


def check_nodes(report: dict[str, Any], files: Sequence[str]) -> None:
    wanted = importlib.metadata.version("ray")
    lacks = what_a_node_lacks(wanted, files) or what_the_raylet_lacks(report.get("raylet_socket"))
    if lacks:
        raise Trouble(f"on this machine {lacks}")
    others = [node for node in report["nodes"] if node["alive"] and not node["is_this_machine"]]
    if others:
        check_other_nodes(report, others, wanted, files)


def what_a_node_lacks(wanted: str, files: Sequence[str]) -> str:
    """Returns what is missing on the machine it runs on, in words; empty if nothing is."""
    import importlib.metadata
    import importlib.util
    import os

    try:
        found = importlib.metadata.version("ray-cpp")
    except importlib.metadata.PackageNotFoundError:
        return f"ray-cpp is not installed: pip install ray-cpp=={wanted}"
    if found != wanted:
        return f"ray-cpp is {found} and Ray is {wanted}: pip install ray-cpp=={wanted}"
    ray = importlib.util.find_spec("ray")
    worker = os.path.join(os.path.dirname(str(ray and ray.origin)), "cpp", "default_worker")
    for name in [worker, *files]:
        if not os.path.isfile(name):
            return f"{name} is missing: every node needs it under the same path"
    return ""


def what_the_raylet_lacks(raylet_socket: str | None) -> str:
    """Checks the command line of this machine's raylet, which may come from an installation without C++ workers."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if f"--raylet_socket_name={raylet_socket}" in words and "--cpp_worker_command=" in words:
            return f"the running cluster was started from a Python without ray-cpp ({words[0]}): start it with scripts/cluster.sh"
    return ""


def check_other_nodes(
    report: dict[str, Any], nodes: Sequence[Mapping[str, Any]], wanted: str, files: Sequence[str]
) -> None:
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    # Nested, so that it travels as code: the other machines have no module of ours.
    def look() -> str:
        return what_a_node_lacks(wanted, files)

    try:
        ray.init(address=report["address"], log_to_driver=False, configure_logging=False, logging_level="ERROR")
        task = ray.remote(num_cpus=0, max_retries=0)(look)
        answers = {
            node["ip"]: task.options(
                scheduling_strategy=NodeAffinitySchedulingStrategy(node["id"], soft=False)
            ).remote()
            for node in nodes
        }
        for ip, answer in answers.items():
            lacks = ray.get(answer, timeout=OTHER_NODES_S / 2)
            if lacks:
                raise Trouble(f"on node {ip} {lacks}")
    except Trouble:
        raise
    except Exception as error:  # whatever Ray throws, the user reads one line
        reason = (str(error).splitlines() or [""])[0] or type(error).__name__
        raise Trouble(
            f"could not check every node of {report['address']} ({reason}): see scripts/cluster.sh status"
        ) from None


if __name__ == "__main__":
    main()
