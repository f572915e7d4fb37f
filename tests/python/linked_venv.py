"""A virtual environment with links to all packages of the one that runs this, but pip's and Dray's own."""

import pathlib
import re
import subprocess
import sys
import sysconfig
import venv

LINKED = re.compile(r"(?!pip\b|setuptools\b|dray\b|_distutils|__pycache__|distutils-precedence|README).*")


def make(folder, leave_out=()):
    """Returns its interpreter. `leave_out`: names of packages that are not linked."""
    venv.create(folder, with_pip=False)
    site = next((pathlib.Path(folder) / "lib").glob("python3*")) / "site-packages"
    for path in pathlib.Path(sysconfig.get_paths()["purelib"]).iterdir():
        if LINKED.fullmatch(path.name) and path.name not in leave_out:
            (site / path.name).symlink_to(path)
    return pathlib.Path(folder) / "bin" / "python"


def install(python, *words):
    subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", "--quiet", *words], check=True)
