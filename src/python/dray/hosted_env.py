"""Makes a Gymnasium environment for Dray, describes it, and saves and restores its state."""

import base64
import importlib
import pickle
import sys
from collections.abc import Mapping
from typing import Any

import gymnasium

from dray.env_spaces import Actions, Unsupported, observation_size

NO_TIME_LIMIT = 1_000_000  # steps of an episode that Dray plans with if the environment sets no limit
GYM, PICKLE = "gym:", "pickle:"


def make(name: str, options: Mapping[str, Any], folder: str) -> gymnasium.Env[Any, Any]:
    """Makes the environment called gym:ID, MODULE:FUNCTION (with MODULE found in `folder` first) or pickle:NAME:FUNCTION,
    with the function itself.
    """
    if folder not in sys.path:
        sys.path.insert(0, folder)
    if name.startswith(GYM):
        env = _make_registered(name.removeprefix(GYM), options)
    elif name.startswith(PICKLE):
        env = pickle.loads(base64.b64decode(name.rpartition(":")[2]))(**options)
        name = name.rpartition(":")[0]
    else:
        env = _function(name)(**options)
    if isinstance(env, gymnasium.vector.VectorEnv):
        raise Unsupported(f"{name} makes a VectorEnv: make a single environment, Dray runs many of them")
    if not isinstance(env, gymnasium.Env):
        raise Unsupported(f"{name} makes a {type(env).__name__}, not a gymnasium.Env")
    return env


def describe(env: gymnasium.Env[Any, Any], info: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what Dray has to know about the environment; `info` is that of its first reset."""
    actions = Actions(env.action_space)
    size = observation_size(env.observation_space)
    if size == 0:
        raise Unsupported(f"observation space {env.observation_space} is empty")
    masked = "action_mask" in info or attribute(env, "action_masks") is not None
    if masked and actions.choices is None:
        raise Unsupported(f"action space {env.action_space} is not supported: only discrete actions can be masked")
    limit = env.spec.max_episode_steps if env.spec else None
    return {
        "observation_space": str(env.observation_space),
        "action_space": str(env.action_space),
        "observation_size": size,
        "actions": actions.described(),
        "masked": masked,
        "episode_stats": [str(name) for name in attribute(env, "episode_stats") or []],
        "max_episode_steps": limit or NO_TIME_LIMIT,
    }


def attribute(env: gymnasium.Env[Any, Any], name: str) -> Any:
    """Returns an attribute of the environment or of one that it wraps; None if there is none."""
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
