"""Trains from Python: starts the C++ actors on Ray, steps them, reads metrics and weights as numpy.

    import dray.client

    with dray.client.Training("cartpole", set={"scale.num_envs": 16}, shards=2) as training:
        for _ in range(10):
            metrics = training.step()
        weights = training.weights()

`search` looks for the best workflow of a task, and needs no Ray: see search.py.

Batches and weights go from actor to actor inside Ray's store; this process moves references and small summaries, and
the engine (engine.py) says what comes next and what the numbers mean.
"""

import atexit
import contextlib
import io
import json
import math
import os
import re
import struct
import subprocess
import sys
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from dray import auth, cluster_check, engine, places, ray_node, weights
from dray.arguments import c_string, command_words, number, text, whole_number
from dray.engine import Error
from dray.own_head import OwnHead
from dray.places import PathLike
from dray.search import search  # noqa: F401, part of what is offered here

# Prefix of the payload in every message: ray_actors/frame.h, behind msgpack's own header.
_PREAMBLE = b"DRAYBLOB" + bytes(51)
_TOO_LONG = "gave no answer: see `ray list actors` whether it still runs, or allow more by timeout_s"
_ANSWER_S = 60  # for what is ready, or nearly so

_own_head = None  # this process's own head, if no other cluster was found


def connect(address: str = "") -> None:
    """Joins a Ray cluster with the actor library: the one at `address` (default RAY_ADDRESS), else the one running on
    this machine, else a new one that belongs to this process. Training does this itself if Ray was not joined before.
    """
    global _own_head
    library = engine.actor_library()
    found = _look_at_cluster(address, library)
    if not found["found"]:
        _own_head = OwnHead()
        atexit.register(_leave)
        found = _look_at_cluster(_own_head.address, library)
    os.environ[auth.MODE] = found["auth"]
    # Ray takes 127.0.0.1 for the machine's other address, unless it is told that there are no other machines.
    alone = found["address"].startswith(("127.0.0.1:", "[::1]:"))
    os.environ[ray_node.MANY_MACHINES] = "0" if alone else "1"
    import ray
    from ray._private import ray_constants
    from ray._raylet import Config
    from ray.job_config import JobConfig

    Config.initialize("")  # reads the environment again, should Ray have been imported before
    ray_constants.ENABLE_RAY_CLUSTER = not alone
    # An installed package every worker has, and what lies beside it workers would take for libraries of actors.
    modules = [] if places.is_wheel() else [str(places.PACKAGE.parent)]
    try:
        ray.init(
            address=found["address"],
            job_config=JobConfig(code_search_path=[library, *modules]),
            log_to_driver=False,
            logging_level="ERROR",
        )
    except Exception as error:  # whatever Ray throws, the user reads one line
        raise Error(f"Ray could not be joined: {_first_line(error)}") from None


def _leave() -> None:
    """Leaves Ray, and ends the cluster if it belongs to this process."""
    global _own_head
    import ray

    ray.shutdown()
    if _own_head is not None:
        atexit.unregister(_leave)
        _own_head.end()
        _own_head = None


class Training:
    """A training on Ray that the caller steps.

    `config`, `set` and `shards` correspond to --config, --set and --num-workers of `train`; `arguments` are further
    flags, such as ["--seed", "7"]. An actor that takes longer than `timeout_s` for one call (a rollout, an update, an
    evaluation) raises Error; None waits for ever.
    """

    def __init__(
        self,
        config: PathLike,
        set: Mapping[str, Any] | None = None,
        shards: int | None = None,
        arguments: Iterable[str] = (),
        address: str = "",
        timeout_s: float | None = 3600,
    ) -> None:
        self._timeout_s = None if timeout_s is None else number(timeout_s, "timeout_s")
        if self._timeout_s is not None and not self._timeout_s > 0:
            raise Error(f"timeout_s: must be above 0, not {self._timeout_s:g}; None waits for ever")
        self._loop = engine.SteppedTraining(train_words(config, set, shards, arguments))
        self._actors: dict[str, Any] = {}
        self._batches: dict[int, Any] = {}
        self._rollouts = 0
        self._side_model: Any = None
        self._side_model_bytes: bytes | None = None
        try:
            import ray
        except ImportError as error:
            raise Error(places.without_ray(error)) from None
        self._ray = ray
        self._joined = not ray.is_initialized()
        try:
            if self._joined:
                connect(address)
            _must_have_library(ray)
            self.description = self._loop.ask_json("place", _cluster_json(ray))
            self._name = f"{self.description['environment']}-{uuid.uuid4().hex[:8]}"
            self._start()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Training":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the actors, and leaves Ray if it was joined for this training."""
        if self._loop.closed:
            return
        if self._ray.is_initialized():
            for actor in self._actors.values():
                with contextlib.suppress(Exception):  # it is gone already
                    self._ray.kill(actor)
            self._actors, self._batches, self._weights, self._side_model = {}, {}, None, None
        if self._joined:
            _leave()
        self._loop.close()

    def step(self) -> dict[str, float]:
        """Performs one update: every shard collects, the learner learns. Returns the metrics (configs/METRICS.md)."""
        while "collect" in (task := self._loop.ask_json("next")):
            self._collect(task["collect"])
        if "finished" in task:
            raise Error(
                f"this training has reached its limit, after epoch {task['finished']}, or its goal (train.early_stop): raise "
                "train.epochs, train.total_steps or train.episodes, or change the goal"
            )
        return self._update([self._batches.pop(ticket) for ticket in task["update"]])

    def evaluate(self) -> dict[str, float]:
        """Plays evaluation.episodes episodes with the most probable actions. Returns the eval/ metrics."""
        if "evaluator" not in self._actors:
            self._create("evaluator", self._oracle_names)
            self._await_start(["evaluator"])
        reply = self._call("evaluator", "evaluate", self._weights, self._side_model_reference())
        return _numbers(self._loop.ask_json("evaluated", self._fetch(reply, "evaluator")))

    def weights(self) -> dict[str, NDArray[Any]]:
        """Returns the networks as numpy arrays, by PyTorch's names ("actor.0.weight")."""
        return weights.read_weights(self._fetch(self._call("learner", "export"), "learner"))

    def save(self, path: PathLike) -> None:
        """Writes a checkpoint. `load` resumes from it and `evaluate --checkpoint` plays it."""
        states = [(name, self._call(name, "save")) for name in ("learner", *self._shards)]
        learner, *shards = [self._fetch(reply, name) for name, reply in states]
        self._loop.ask(
            "save", os.path.abspath(c_string(path, "path")), learner, self._fetch(self._weights, "learner"), *shards
        )

    def load(self, path: PathLike) -> None:
        """Resumes from a checkpoint of `save`, or of a `train` run with the same number of shards."""
        self._loop.ask("load", os.path.abspath(c_string(path, "path")))
        self._batches.clear()
        replies = [("learner", self._call("learner", "load", self._loop.ask("saved", "learner"), struct.pack("<q", 0)))]
        replies += [(name, self._call(name, "load", self._loop.ask("saved", name))) for name in self._shards]
        for name, reply in replies:
            self._fetch(reply, name)
        self._weights = self._call("learner", "publish")

    # --- Actors ----------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        given = self.description
        self._shards = [f"shard-{i}" for i in range(len(given["shards"]))]
        oracles = [f"oracle-{i}" for i in range(given["oracles"])]
        self._oracle_names = [f"{self._name}:{name}" for name in oracles]
        for name in oracles:
            callers = len(self._shards) + 2
            self._create(name, gpus=given["oracle_gpus"], max_restarts=-1, max_concurrency=callers)
        for name in self._shards:
            self._create(name, self._oracle_names, cpus=given["shard_cpus"])
        self._create("learner", cpus=given["learner_cpus"], gpus=given["learner_gpus"])
        self._await_start(list(self._actors))
        self._weights = self._call("learner", "publish")

    def _create(self, name: str, oracles: Sequence[str] = (), cpus: float = 0, gpus: float = 0, **options: Any) -> None:
        stem = name.partition("-")[0]
        kind = "env_shard" if stem == "shard" else stem
        with contextlib.redirect_stdout(io.StringIO()):  # Ray prints what it is asked for
            actor = self._ray.cross_language.cpp_actor_class("RoleActor::Create", "RoleActor")
        options.update(name=f"{self._name}:{name}", num_cpus=cpus, num_gpus=gpus)
        self._actors[name] = actor.options(**options).remote(kind, self._loop.ask("settings", name), list(oracles))

    def _await_start(self, names: Sequence[str]) -> None:
        limit_s = self.description["start_timeout_s"]
        replies = [(name, self._call(name, "heartbeat")) for name in names]
        for name, reply in replies:
            self._fetch(reply, name, limit_s, "did not start: see `ray list actors` for what the cluster lacks")

    def _call(self, name: str, method: str, *arguments: Any) -> Any:
        passed = [_PREAMBLE + one if isinstance(one, bytes) else one for one in (method.encode(), *arguments)]
        return self._actors[name].Call.remote(*passed)

    def _fetch(self, reply: Any, name: str, limit_s: float | None = None, otherwise: str = _TOO_LONG) -> bytes:
        """Waits for a reply and returns its payload."""
        from ray.exceptions import GetTimeoutError, RayError

        limit_s = self._timeout_s if limit_s is None else limit_s
        try:
            return self._ray.get(reply, timeout=limit_s)[len(_PREAMBLE) :]
        except GetTimeoutError:
            raise Error(f"{name} {otherwise} (waited {limit_s:g} s)") from None
        except RayError as error:
            raise Error(f"{name}: {_first_line(error)}") from None

    # --- One step --------------------------------------------------------------------------------------------------

    def _collect(self, shards: Sequence[int]) -> None:
        names = [self._shards[shard] for shard in shards]
        calls = [self._begin(name, "collect", self._weights, self._side_model_reference()) for name in names]
        for name, call in zip(names, calls):
            self._loop.ask("rolled", self._finish(name, *call))
            self._batches[self._rollouts] = call[0]
            self._rollouts += 1

    def _update(self, batches: Sequence[Any]) -> dict[str, float]:
        call = self._begin("learner", "update", *batches)
        summary = self._finish("learner", *call)
        self._weights = call[0]
        return _numbers(self._loop.ask_json("updated", summary))

    def _begin(self, name: str, method: str, *arguments: Any) -> tuple[Any, Any]:
        """Starts a long call whose result stays in the store, and the call for its summary."""
        header = self._loop.ask("header")
        return self._call(name, method, header, *arguments), self._call(name, "summary", header)

    def _finish(self, name: str, result: Any, summary: Any) -> bytes:
        if not self._ray.wait([result], timeout=self._timeout_s, fetch_local=False)[0]:
            raise Error(f"{name} {_TOO_LONG} (waited {self._timeout_s:g} s)")
        # A call that never began, since its arguments were lost, has a result (an error) and no summary.
        return self._fetch(summary, name, _ANSWER_S, "gave a result without a summary: was a node lost?")

    def _side_model_reference(self) -> Any:
        side_model = self._loop.ask("side_model")
        if side_model != self._side_model_bytes:
            self._side_model, self._side_model_bytes = self._ray.put(_PREAMBLE + side_model), side_model
        return self._side_model


def train_words(
    config: PathLike, set: Mapping[str, Any] | None = None, shards: int | None = None, arguments: Iterable[str] = ()
) -> list[str]:
    """Returns the command-line arguments of `train` for these arguments of Training."""
    config = text(config, "config")
    # The engine looks for presets beside its program, which here is Python.
    preset = places.configs() / f"{config}.yaml"
    words = ["--config", str(preset if preset.is_file() and not os.path.exists(config) else config)]
    if shards is not None:
        words += ["--set", f"scale.num_workers={whole_number(shards, 'shards')}"]
    return words + command_words(set, arguments)


def _look_at_cluster(address: str, library: str) -> dict[str, Any]:
    """Runs cluster_check first: Ray's own connection waits long and says little."""
    command = [
        sys.executable,
        cluster_check.__file__,
        "--driver",
        f"--files={library}",
        f"--address={text(address, 'address')}",
    ]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        raise Error("the check of the cluster ended without an answer: run scripts/setup.sh") from None
    if "error" in report:
        raise Error(report["error"])
    for note in report["notes"]:
        print(f"dray: {note}", file=sys.stderr)
    return report


def _must_have_library(ray: Any) -> None:
    path = ray._private.worker.global_worker.core_worker.get_job_config().code_search_path
    if engine.actor_library() not in path:
        raise Error(
            "Ray was joined without Dray's actor library: call dray.client.connect() instead of ray.init(), "
            f"or pass job_config=JobConfig(code_search_path=[{engine.actor_library()!r}])"
        )


def _cluster_json(ray: Any) -> str:
    """Describes the cluster, with the names of dray_cluster_info."""
    total, free = ray.cluster_resources(), ray.available_resources()
    found = {"address": ray.get_runtime_context().gcs_address}
    found.update(cpus=total.get("CPU", 0), gpus=total.get("GPU", 0))
    found.update(free_cpus=free.get("CPU", 0), free_gpus=free.get("GPU", 0))
    found["memory_bytes"] = int(total.get("memory", 0))
    found["object_store_bytes"] = int(total.get("object_store_memory", 0))
    return json.dumps(found)


def _numbers(report: Mapping[str, Any]) -> dict[str, float]:
    return {name: math.nan if value is None else float(value) for name, value in report.items()}


def _first_line(error: Exception) -> str:
    """Returns the message of an actor's exception without Ray's preamble, or the first line of Ray's own error."""
    thrown = re.search(r"executing function\(.*?\): [\w:]*\w: (.*)", str(error))
    if thrown:
        return thrown[1]
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
