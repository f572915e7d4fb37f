"""Finds Dray's files in each kind of installation:

a wheel    dray/bin, dray/lib, dray/configs: within the package
a bundle   bin, lib, configs: beside the folder python, which has the package
a clone    bazel-bin/ray_actors, bazel-bin/src/api, configs: in the repository, once it is built
"""

import os
import pathlib
import shutil
import sys
from collections.abc import Sequence

from dray.error import Error

PathLike = str | os.PathLike[str]

PACKAGE = pathlib.Path(__file__).resolve().parent
_ROOT = PACKAGE.parents[2]
REPOSITORY = _ROOT if (_ROOT / "WORKSPACE").is_file() else None  # None: this is no clone
_BUILT = [_ROOT / "bazel-bin" / "ray_actors", _ROOT / "bazel-bin" / "src" / "api"] if REPOSITORY else []
_HOMES = (PACKAGE, PACKAGE.parents[1])  # of a wheel, of a bundle


def library(name: str, variable: str) -> str:
    """Returns the path of a library: the one named by the environment variable, else that of the package, bundle or
    build.
    """
    return _find(name, variable, [*(home / "lib" for home in _HOMES), *_BUILT], "library", "//...")


def program(name: str) -> str:
    """Returns the path of a command: the one named by DRAY_TRAIN (DRAY_SEARCH, …), else that of the package, bundle or
    build.
    """
    return _find(name, f"DRAY_{name.upper()}", [*(home / "bin" for home in _HOMES), *_BUILT], "program", f"//:{name}")


def installed_program(name: str) -> pathlib.Path | None:
    """Returns the path of a command in a wheel; None if it is not there or this is no wheel."""
    path = PACKAGE / "bin" / name
    return path if path.is_file() else None


def built_program(name: str) -> pathlib.Path | None:
    """Returns the path of a command built in a clone; None if it is not built or this is no clone."""
    return next((folder / name for folder in _BUILT if (folder / name).is_file()), None)


def is_wheel() -> bool:
    """Checks whether this package was installed from a wheel."""
    return (PACKAGE / "bin").is_dir()


def without_ray(error: ImportError) -> str:
    """Returns the message that Ray is not installed."""
    remedy = "pip install 'dray[ray]'" if is_wheel() else "run scripts/setup.sh"
    return f"{sys.executable} has no Ray ({error}): {remedy}, or set DRAY_PYTHON to a Python that has it"


def environment() -> dict[str, str]:
    """Returns the environment variables for programs of the engine: this Python, its tools, and how printed commands
    are called.
    """
    scripts, path = os.path.dirname(sys.executable), os.environ.get("PATH", "")
    if not shutil.which(
        "ray", path=path
    ):  # it lies beside the interpreter, also when its environment was not activated
        path = f"{path}{os.pathsep}{scripts}"
    # DRAY_PYTHON stays what the user set. In the repository, commands that are printed are Bazel's.
    return {
        "DRAY_PYTHON": sys.executable,
        **os.environ,
        "PATH": path,
        **({"DRAY_CALLED_AS": "dray"} if is_wheel() else {}),
    }


def configs() -> pathlib.Path:
    """Returns the folder of presets and METRICS.md."""
    folders = [*(home / "configs" for home in _HOMES), *([REPOSITORY / "configs"] if REPOSITORY else [])]
    return next((folder for folder in folders if folder.is_dir()), folders[-1])


def _find(name: str, variable: str, folders: Sequence[pathlib.Path], kind: str, target: str) -> str:
    named = os.environ.get(variable)
    if named:
        if not os.path.isfile(named):
            raise Error(f"{variable}={named}: there is no such file")
        return os.path.realpath(named)
    for folder in folders:
        if (folder / name).is_file():
            return os.path.realpath(folder / name)
    raise Error(f"the {kind} {name} was not found: build it (bazel build {target}), or set {variable}")
