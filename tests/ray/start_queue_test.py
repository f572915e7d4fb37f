"""As many heads start at a time as there are cores; the next one starts when one of them is up, or has died."""

import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path("src/python").resolve()))

from dray import start_queue

ENTER = """
from dray import start_queue
start_queue.NAME = "dray-test-{}"
slot = start_queue.enter(lambda waiting: print("waits" if waiting else "enters", flush=True))
print("starts", flush=True)
input()
slot.close()
print("is up", flush=True)
input()
"""


class StartQueueTest(unittest.TestCase):
    def start_head(self):
        head = subprocess.Popen(
            [sys.executable, "-c", ENTER.format(os.getpid())],
            env={"PYTHONPATH": sys.path[0]},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(head.communicate)
        self.addCleanup(head.kill)
        return head, head.stdout.readline().strip()

    def assert_says(self, head, line):
        self.assertEqual(head.stdout.readline().strip(), line)

    def test_one_more_than_there_are_cores_waits_for_any_of_them(self):
        heads = [self.start_head() for _ in range(start_queue.slots())]
        self.assertEqual({said for _, said in heads}, {"enters"})
        for head, _ in heads:
            self.assert_says(head, "starts")
        third, said = self.start_head()
        self.assertEqual(said, "waits")
        heads[0][0].stdin.write("\n")
        heads[0][0].stdin.flush()
        self.assert_says(heads[0][0], "is up")
        self.assert_says(third, "starts")
        fourth, said = self.start_head()
        self.assertEqual(said, "waits")
        third.kill()
        self.assert_says(fourth, "starts")


if __name__ == "__main__":
    unittest.main()
