"""Dray for Python. Importing the package loads nothing else; parts are loaded when they are used."""

import importlib
import sys
from typing import Any

_OFFERED = {"make_vec": "dray.vector_env", "load_policy": "dray.policy", "Batch": "dray.batch", "Error": "dray.error"}


def __getattr__(name: str) -> Any:
    if name in _OFFERED:
        return getattr(importlib.import_module(_OFFERED[name]), name)
    raise AttributeError(f"module 'dray' has no attribute {name!r}")


if "gymnasium" in sys.modules:
    importlib.import_module("dray.gym_env")
