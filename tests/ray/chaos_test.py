"""A minute of scripts/chaos.py. Arguments: the script and train."""

import os
import subprocess
import sys
import unittest

SCRIPT, TRAIN = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))


class ChaosTest(unittest.TestCase):
    def test_a_training_comes_through_a_minute_of_faults(self):
        command = [sys.executable, SCRIPT, "--minutes", "1", "--times", "1", "--references", "5", "--train", TRAIN]
        result = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        print(result.stdout)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("1 of 1 times all came through", result.stdout)
        self.assertRegex(result.stdout, '"faults": {"')

    def test_wrong_usage_is_told(self):
        result = subprocess.run([sys.executable, SCRIPT, "--train", "/nowhere"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("no such program; build it with bazel build //:train", result.stderr)


if __name__ == "__main__":
    unittest.main()
