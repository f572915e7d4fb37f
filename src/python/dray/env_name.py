"""Names a function that makes an environment, so that worker processes can call it."""

import base64
import importlib.util
import pathlib
import sys
from collections.abc import Callable
from typing import Any

from dray.error import Error


def named(function: Callable[..., Any]) -> tuple[str, str | None]:
    """Returns the name that --env takes for the function, and the folder in which its module is found.

    A function of a module is MODULE:FUNCTION. Any other (a lambda, a local one, one of a notebook or script) is carried in
    the name itself, which takes cloudpickle; then there is no folder.
    """
    module, path = getattr(function, "__module__", None), getattr(function, "__qualname__", "<>")
    if module and module != "__main__" and "<" not in path:
        return f"{module}:{path}", _folder(module)
    if importlib.util.find_spec("cloudpickle") is None:
        raise Error(
            "env: put the function that makes the environment into a module and import it, or pip install cloudpickle"
        )
    import cloudpickle

    try:
        carried = base64.b64encode(cloudpickle.dumps(function)).decode()
    except Exception as error:
        raise Error(
            f"env: the function that makes the environment cannot be pickled ({error}): put it into a module"
        ) from None
    name = getattr(function, "__name__", type(function).__name__).strip("<>")
    return f"pickle:{name}:{carried}", None


def _folder(module: str) -> str | None:
    file = getattr(sys.modules[module], "__file__", None)
    if file is None:
        return None
    path = pathlib.Path(file).resolve()
    return str(path.parents[module.count(".") + (path.name == "__init__.py")])
