"""Makes the page of a finished run. Argument: its folder. Prints page=PATH, or problem=WHY."""

import pathlib
import sys

if __name__ == "__main__":
    sys.path[0] = str(pathlib.Path(__file__).resolve().parent.parent)


def main(folder: str) -> None:
    try:
        from dray.report.__main__ import make_page

        print(f"page={make_page(pathlib.Path(folder))}")
    except Exception as error:  # whatever it is, the run is over and well
        print(f"problem={' '.join(str(error).split()) or type(error).__name__}")


if __name__ == "__main__":
    main(sys.argv[1])
