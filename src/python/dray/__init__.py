"""Dray for Python. Importing the package loads nothing else; parts are loaded when they are used."""

import importlib
import sys
from typing import Any

__version__ = "0.9.0"  # that of the engine: kVersion in src/base/installation.h

_OFFERED = {"make_vec": "dray.vector_env", "load_policy": "dray.policy", "Batch": "dray.batch", "Error": "dray.error"}
__all__ = ["Batch", "Error", "load_policy", "make_vec"]


def __getattr__(name: str) -> Any:
    if name in _OFFERED:
        return getattr(importlib.import_module(_OFFERED[name]), name)
    raise AttributeError(f"module 'dray' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_OFFERED})


# An installed wheel registers its environments by the entry point gymnasium.envs; this is for a package on the path.
if "gymnasium" in sys.modules:
    importlib.import_module("dray.gym_registration").register_all()
