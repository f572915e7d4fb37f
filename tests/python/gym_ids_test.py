"""Ids of environments in Gymnasium. Argument: dray/__init__.py."""

import pathlib
import subprocess
import sys
import unittest

PACKAGES = pathlib.Path(sys.argv.pop(1)).absolute().parents[1]
sys.path.insert(0, str(PACKAGES))
from dray.gym_ids import ids  # noqa: E402


class GymIdsTest(unittest.TestCase):
    def test_ids_are_made_from_names_unless_a_task_has_its_own(self):
        found = ids()
        self.assertEqual(found["cage2_red"], "dray/Cage2Red-v0")
        self.assertEqual(found["cartpole"], "dray/CartPole-v1")
        self.assertEqual(found["dvrptw"], "dray/Deliveries-v0")
        self.assertEqual(found["dvrptw_offer"], "dray/DeliveryOffers-v0")
        self.assertEqual(len(set(found.values())), len(found))

    def test_listing_them_loads_no_library(self):
        script = "import sys; from dray.gym_ids import ids; ids(); print('ctypes' in sys.modules, 'gymnasium' in sys.modules)"
        done = subprocess.run(
            [sys.executable, "-c", script], env={"PYTHONPATH": str(PACKAGES)}, capture_output=True, text=True
        )
        self.assertEqual(done.stdout, "False False\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
