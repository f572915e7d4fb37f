"""A search over workflows from Python: a tiny one, without Ray."""

import os
import pathlib
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
CONFIG = pathlib.Path("configs/cage2_workflow.yaml").resolve()

sys.path.insert(0, str(pathlib.Path("src/python").resolve()))

import dray.client

TINY = {
    "env.cage2.max_steps": 10,
    "network.hidden": [8],
    "train.episodes": 50,
    "evaluation.episodes": 2,
    "search.episodes": 3,
    "search.compliance_at_least": 0,
    "run.tensorboard": False,
}


class ClientSearchTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        os.environ["DRAY_SEARCH"] = PROGRAM

    def search(self, **changed):
        given = {
            "set": TINY,
            "workflows": 2,
            "run_dir": self.folder / "run",
            "arguments": ["--device", "cpu"],
            **changed,
        }
        return dray.client.search(CONFIG, **given)

    def test_it_returns_what_was_found(self):
        found = self.search()
        self.assertEqual((found["verdict"], found["p"], found["trainings"]), ("too few trainings", None, 2))
        self.assertIn("Too few trainings", found["text"])
        machines = {"defender", "enterprise", "op_server", "op_host", "user"}
        self.assertEqual(set(found["best"]), machines)
        self.assertEqual(len(found["orders"]), 120)
        self.assertEqual(sum(order["trainings"] for order in found["orders"]), 2)
        first, second = found["trials"]
        self.assertNotEqual(first["workflow"], second["workflow"])
        # Paired: the first training of either.
        self.assertEqual(first["seed"], second["seed"])
        self.assertEqual((first["episodes"], first["predicted_mean"]), (3, None))
        self.assertEqual(second["predicted_mean"], first["return_mean"])
        self.assertTrue((pathlib.Path(found["run_dir"]) / "orders.svg").is_file())

    def test_it_goes_on_with_a_search(self):
        before = self.search()
        after = self.search(workflows=3, arguments=["--device", "cpu", "--resume"])
        self.assertEqual(after["trials"][:2], before["trials"])
        self.assertEqual(len(after["trials"]), 3)

    def test_mistakes_are_one_line(self):
        for changed, says in (
            ({"set": {"search.episodes": 1}}, "search.episodes"),
            ({"set": {"env.cage2.colour": "red"}}, "env.cage2.colour"),
            ({"arguments": ["--resume", str(self.folder / "nowhere")]}, "nowhere"),
        ):
            with self.assertRaises(dray.client.Error) as raised:
                self.search(**changed)
            self.assertIn(says, str(raised.exception))
            self.assertNotIn("\n", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
