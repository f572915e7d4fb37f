"""scripts/fuzz.py finds nothing in half a minute of each target. Argument: scripts/fuzz.py."""

import os
import subprocess
import sys
import unittest

SCRIPT = os.path.realpath(sys.argv.pop(1))


class LibFuzzerTest(unittest.TestCase):
    def test_nothing_is_found(self):
        self.assertEqual(subprocess.run([sys.executable, SCRIPT, "--seconds", "30"]).returncode, 0)


if __name__ == "__main__":
    unittest.main()
