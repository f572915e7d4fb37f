"""The source as it is: its layout in order, its map current. Arguments: scripts/layout.py, scripts/map.py."""

import os
import subprocess
import sys
import unittest

LAYOUT, MAP = (os.path.realpath(sys.argv.pop(1)) for _ in range(2))


class SourceTest(unittest.TestCase):
    def assert_silent(self, *command):
        process = subprocess.run(
            [sys.executable, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.assertEqual((process.stdout, process.returncode), ("", 0))

    def test_its_layout_is_in_order(self):
        self.assert_silent(LAYOUT)

    def test_its_map_is_current(self):
        self.assert_silent(MAP, "--check")


if __name__ == "__main__":
    unittest.main()
