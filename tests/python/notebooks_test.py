"""The notebooks of docs/notebooks run from the first cell to the last, with a short training.

Arguments: the library of environments, the package's __init__.py, train, evaluate.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

LIBRARY, PACKAGE, TRAIN, EVALUATE = (os.path.abspath(path) for path in sys.argv[1:5])
del sys.argv[1:5]
FOLDER = pathlib.Path("docs/notebooks").resolve()

# Runs the cells of a notebook, where Jupyter need not be installed.
RUN = """
import json, pathlib, sys, types

display = types.ModuleType("IPython.display")
display.SVG = lambda filename: drawn.append(pathlib.Path(filename).read_text())
sys.modules["IPython"] = types.ModuleType("IPython")
sys.modules["IPython"].get_ipython = lambda: None
sys.modules["IPython.display"] = display
drawn, names = [], {}
for cell in json.loads(pathlib.Path(sys.argv[1]).read_text())["cells"]:
    if cell["cell_type"] == "code":
        exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
assert drawn and all("<svg" in picture for picture in drawn)
"""


class NotebooksTest(unittest.TestCase):
    def run_cells(self, name, **budget):
        """What the notebook prints."""
        with tempfile.TemporaryDirectory() as folder:
            work = shutil.copytree(FOLDER, pathlib.Path(folder) / "notebooks")
            done = subprocess.run(
                [sys.executable, "-c", RUN, name],
                cwd=work,
                env={
                    **os.environ,
                    "PYTHONPATH": str(pathlib.Path(PACKAGE).parents[1]),
                    "DRAY_ENVS_LIBRARY": LIBRARY,
                    "DRAY_TRAIN": TRAIN,
                    "DRAY_EVALUATE": EVALUATE,
                    **budget,
                },
                capture_output=True,
                text=True,
            )
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def test_own_trips(self):
        said = self.run_cells("own_trips.ipynb", NOTEBOOK_DURATION="2s", NOTEBOOK_EPISODES="4")
        self.assertIn("28 trips of 14 riders", said)
        self.assertRegex(said, r"(?m)^learned +\d+\.\d min, against none +[+-]")

    def test_cage2(self):
        said = self.run_cells("cage2.ipynb", NOTEBOOK_TRAINING="1000", NOTEBOOK_EPISODES="3")
        self.assertIn("(52,) 145\n", said)
        self.assertRegex(said, r"(?m)^meander +30 steps: ")

    def test_they_are_stored_without_outputs(self):
        notebooks = list(FOLDER.glob("*.ipynb"))
        self.assertEqual({path.stem for path in notebooks}, {"cage2", "own_trips"})
        for path in notebooks:
            for cell in json.loads(path.read_text())["cells"]:
                self.assertFalse(cell.get("outputs"), path.name)


if __name__ == "__main__":
    unittest.main()
