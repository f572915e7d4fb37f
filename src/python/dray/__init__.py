"""Dray for Python. Importing the package loads nothing else; parts are loaded when they are used."""

import importlib
import importlib.abc
import importlib.util
import sys
from typing import Any

__version__ = "0.9.0"  # that of the engine: kVersion in src/base/installation.h

_OFFERED = {
    "Batch": "dray.batch",
    "Error": "dray.error",
    "evaluate": "dray.evaluation",
    "load_policy": "dray.policy",
    "make_vec": "dray.vector_env",
    "train": "dray.training",
}
__all__ = ["Batch", "Error", "evaluate", "load_policy", "make_vec", "train"]


def __getattr__(name: str) -> Any:
    if name in _OFFERED:
        return getattr(importlib.import_module(_OFFERED[name]), name)
    raise AttributeError(f"module 'dray' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_OFFERED})


def _register_environments() -> None:
    importlib.import_module("dray.gym_registration").register_all()


class _WithGymnasium(importlib.abc.MetaPathFinder):
    """Registers the environments when Gymnasium is imported, which has no entry points for packages since its version 1."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name != "gymnasium":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec and spec.loader:
            load = spec.loader.exec_module

            def load_and_register(module: Any) -> None:
                load(module)
                _register_environments()

            spec.loader.exec_module = load_and_register  # type: ignore[method-assign]
        return spec


if "gymnasium" in sys.modules:
    _register_environments()
else:
    sys.meta_path.insert(0, _WithGymnasium())
