"""Makes a Gymnasium environment for Dray, describes it, and saves and restores its state."""

import base64
import importlib
import inspect
import pickle
import sys
from collections.abc import Mapping
from typing import Any, TypeAlias

import gymnasium
import numpy as np

from dray.env_spaces import Actions, Mismatch, Unsupported, observation_size, writer

AnyEnv: TypeAlias = "gymnasium.Env[Any, Any] | gymnasium.vector.VectorEnv[Any, Any, Any]"

NO_TIME_LIMIT = 1_000_000  # steps of an episode that Dray plans with if the environment sets no limit
GYM, PICKLE = "gym:", "pickle:"


def make(name: str, options: Mapping[str, Any], folder: str, count: int = 1) -> AnyEnv:
    """Makes the environment called gym:ID, MODULE:FUNCTION (with MODULE found in `folder` first) or pickle:NAME:FUNCTION,
    with the function itself. A function that takes num_envs is told `count`, and may make a VectorEnv of so many.
    """
    if folder not in sys.path:
        sys.path.insert(0, folder)
    if name.startswith(GYM):
        env = _make_registered(name.removeprefix(GYM), options)
    elif name.startswith(PICKLE):
        function, name = pickle.loads(base64.b64decode(name.rpartition(":")[2])), name.rpartition(":")[0]
        env = function(**_with_count(function, options, count))
    else:
        function = _function(name)
        env = function(**_with_count(function, options, count))
    if isinstance(env, gymnasium.vector.VectorEnv):
        _check_vector(name, env, count)
    elif not isinstance(env, gymnasium.Env):
        raise Unsupported(f"{name} makes a {type(env).__name__}, not a gymnasium.Env")
    return env


def begin(env: AnyEnv, seed: int | None, **arguments: Any) -> tuple[Any, Mapping[str, Any]]:
    """Resets the environment and returns its observation and info."""
    start = env.reset(**arguments) if seed is None else env.reset(seed=seed, **arguments)
    if not isinstance(start, tuple) or len(start) != 2 or not isinstance(start[1], Mapping):
        raise Mismatch("reset did not return (observation, info)")
    return start


def spaces_of(env: AnyEnv) -> tuple[gymnasium.Space[Any], gymnasium.Space[Any]]:
    """Returns the spaces of the observations and of the actions of one environment."""
    if isinstance(env, gymnasium.vector.VectorEnv):
        return env.single_observation_space, env.single_action_space
    return env.observation_space, env.action_space


def is_disabled(env: gymnasium.vector.VectorEnv[Any, Any, Any]) -> bool:
    """Tells whether a VectorEnv leaves it to Dray to reset its environments."""
    return _autoreset_mode(env) == "Disabled"


def describe(env: AnyEnv, info: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what Dray has to know about the environment; `info` is that of its first reset."""
    observation_space, action_space = spaces_of(env)
    actions = Actions(action_space)
    size = observation_size(observation_space)
    if size == 0:
        raise Unsupported(f"observation space {observation_space} is empty")
    masked = "action_mask" in info or attribute(env, "action_masks") is not None
    if masked and actions.choices is None:
        raise Unsupported(f"action space {action_space} is not supported: only discrete actions can be masked")
    limit = env.spec.max_episode_steps if env.spec else None
    return {
        "observation_space": str(observation_space),
        "action_space": str(action_space),
        "observation_size": size,
        "actions": actions.described(),
        "masked": masked,
        "episode_stats": [str(name) for name in attribute(env, "episode_stats") or []],
        "max_episode_steps": limit or NO_TIME_LIMIT,
    }


def check_observation(env: AnyEnv, observation: Any) -> None:
    """Raises Mismatch unless the observation is one of the environment's space."""
    space = spaces_of(env)[0]
    if isinstance(env, gymnasium.vector.VectorEnv):
        observation = next(iter(gymnasium.vector.utils.iterate(env.observation_space, observation)))
    writer(space, np.zeros(observation_size(space), np.float32))(observation)


def compare(env: AnyEnv, info: Mapping[str, Any], spec: Mapping[str, Any]) -> None:
    """Raises Mismatch if the environment is not the one that `spec` describes."""
    for key, value in describe(env, info).items():
        if value != spec[key]:
            raise Mismatch(f"its {key.replace('_', ' ')} is {value}, that of the run is {spec[key]}")


def attribute(env: AnyEnv, name: str) -> Any:
    """Returns an attribute of the environment or of one that it wraps; None if there is none."""
    if isinstance(env, gymnasium.vector.VectorEnv):
        return getattr(env, name, None)
    try:
        return env.get_wrapper_attr(name)
    except AttributeError:
        return None


def saved(env: gymnasium.Env[Any, Any]) -> bytes:
    """Returns the environment's state: by its get_state if it has one, else by pickling it. Raises what that raises."""
    if not _has_state(env):
        return pickle.dumps(env)
    return pickle.dumps((_innermost(env).get_state(), [_own_state(wrapper) for wrapper in _wrappers(env)]))


def restored(env: gymnasium.Env[Any, Any], state: bytes) -> gymnasium.Env[Any, Any]:
    """Returns the environment in the state that `saved` returned."""
    if not _has_state(env):
        env = pickle.loads(state)
        assert isinstance(env, gymnasium.Env)
        return env
    own, wrappers = pickle.loads(state)
    _innermost(env).set_state(own)
    for wrapper, values in zip(_wrappers(env), wrappers, strict=True):
        wrapper.__dict__.update(values)
    return env


def _make_registered(name: str, options: Mapping[str, Any]) -> gymnasium.Env[Any, Any]:
    try:
        # Dray checks every step itself.
        return gymnasium.make(name, disable_env_checker=True, **options)
    except (
        gymnasium.error.UnregisteredEnv,
        gymnasium.error.MissingArgument,
        gymnasium.error.DependencyNotInstalled,
    ) as error:
        raise Unsupported(str(error)) from None


def _with_count(function: Any, options: Mapping[str, Any], count: int) -> Mapping[str, Any]:
    try:
        takes = "num_envs" in inspect.signature(function).parameters
    except (TypeError, ValueError):  # a callable without a signature
        takes = False
    return {**options, "num_envs": count} if takes else options


def _check_vector(name: str, env: gymnasium.vector.VectorEnv[Any, Any, Any], count: int) -> None:
    if env.num_envs != count:
        raise Unsupported(
            f"{name} makes a VectorEnv of {env.num_envs} environments where Dray needs {count}: let it take num_envs"
        )
    if _autoreset_mode(env) not in ("SameStep", "Disabled"):
        raise Unsupported(
            f"{name} makes a VectorEnv that resets an environment one step after its end: make it with "
            "autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP or DISABLED"
        )


def _autoreset_mode(env: gymnasium.vector.VectorEnv[Any, Any, Any]) -> Any:
    mode = (env.metadata or {}).get("autoreset_mode", "NextStep")
    return getattr(mode, "value", mode)


def _function(name: str) -> Any:
    module_name, _, path = name.partition(":")
    try:
        found: Any = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise
        raise Unsupported(f"there is no module {module_name} in {sys.path[0]} or on Python's path") from None
    for part in path.split("."):
        if not hasattr(found, part):
            raise Unsupported(f"module {module_name} has no {path}")
        found = getattr(found, part)
    if not callable(found):
        raise Unsupported(f"{name} cannot be called")
    return found


def _innermost(env: gymnasium.Env[Any, Any]) -> Any:
    return env.unwrapped


def _has_state(env: gymnasium.Env[Any, Any]) -> bool:
    return all(callable(getattr(_innermost(env), name, None)) for name in ("get_state", "set_state"))


def _wrappers(env: Any) -> list[Any]:
    found = []
    while isinstance(env, gymnasium.Wrapper):
        found.append(env)
        env = env.env
    return found


def _own_state(wrapper: Any) -> dict[str, Any]:
    """Returns the plain values that a wrapper keeps, such as the number of steps of a time limit."""
    return {key: value for key, value in vars(wrapper).items() if isinstance(value, bool | int | float | str | None)}
