"""Copies the example files for your own data (trips, places, travel times, stops, orders) into a folder.

    dray examples                 # into configs/examples, where the documentation's commands look for them
    dray examples my_data

Files that already exist are left as they are.
"""

import pathlib
import shutil
import sys
from collections.abc import Sequence

from dray import places


def main(words: Sequence[str]) -> int:
    if len(words) > 1 or words[:1] in (["-h"], ["--help"]):
        print(f"usage: dray examples [FOLDER]\n\n{__doc__}", end="")
        return 0 if len(words) == 1 else 2
    folder = pathlib.Path(words[0] if words else "configs/examples")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in sorted((places.configs() / "examples").glob("*.csv")):
            copy = folder / file.name
            if copy.exists():
                print(f"{copy} already exists")
            else:
                shutil.copyfile(file, copy)
                print(f"wrote {copy}")
    except OSError as error:
        print(f"dray: examples: {error}", file=sys.stderr)
        return 1
    return 0
