"""Damaged files of a run end neither its page, nor a comparison, nor the list of all runs. Argument: dray/report/__main__.py."""

import json
import pathlib
import random
import tempfile
import unittest

import run_folders

from dray import runs
from dray.error import Error
from dray.report.comparison_page import comparison_page
from dray.report.page import page_text
from dray.report.run_folder import RunFolder
from dray.report.run_page import run_page

ODD = [
    None,
    True,
    "x",
    "",
    [],
    {},
    [[]],
    {"a": 1},
    {"mean": "x"},
    [1, 2],
    float("nan"),
    float("inf"),
    -1,
    0,
    3.5,
    10**18,
    10**99,
    10**400,
    -(10**400),
    1e308,
    -1e308,
    5e-324,
    "\ud800",
    "<b>",
]
ATTACKERS = {
    "episodes": 10,
    "total": -3,
    "scores": {"bline": {"returns": {"30": {"mean": -3, "sem": 0.5}}, "server_restored": 0.1}},
    "by_episode": {"bline": [{"episode": 1, "return": -3}, {"episode": 2, "return": -4}]},
}
PLAYED = {
    "env": "cage2",
    "epoch": 3,
    "episodes": 10,
    "seed": 3,
    "return_mean": -3,
    "return_ci95": 1,
    "return_std": 2,
    "stats": {"hosts": {"mean": 1, "sem": 2, "std": 3}},
    "by_episode": [{"episode": 1, "return": -3}, {"episode": 2, "return": -4}],
}


def changed(value, draw):
    """The value with an odd one somewhere in it."""
    if draw.random() > 0.15 and isinstance(value, dict) and value:
        key = draw.choice(list(value))
        return (
            {**value, key: changed(value[key], draw)}
            if draw.random() > 0.1
            else {name: value[name] for name in value if name != key}
        )
    if draw.random() > 0.15 and isinstance(value, list) and value:
        place = draw.randrange(len(value))
        return [*value[:place], changed(value[place], draw), *value[place + 1 :]]
    return draw.choice(ODD)


def change_values(file, draw):
    lines = file.read_text(errors="replace").splitlines()
    place = draw.randrange(len(lines))
    try:
        lines[place] = json.dumps(changed(json.loads(lines[place]), draw))
    except ValueError:  # it is damaged already
        return
    file.write_text("\n".join(lines) + "\n")


def change_bytes(file, draw):
    data = bytearray(file.read_bytes())
    at = draw.randrange(len(data) + 1)
    insert = draw.choice([draw.randbytes(4), b"[" * 5000, b'{"a":' * 5000, b"9" * 500, b"9" * 5000, b""])
    data[at : at + draw.randrange(30)] = insert
    file.write_bytes(data)


def write_folders(folder):
    for name in ("one", "other"):
        run = run_folders.write_run(folder / name, task="dvrptw", last=run_folders.evaluation(38.0, 3.0, 20))
        run_folders.write_delivery_evaluation(run / "evaluation")
    (folder / "one/attackers.json").write_text(json.dumps(ATTACKERS))
    (folder / "one/played.json").write_text(json.dumps(PLAYED))
    return folder / "one", folder / "other", run_folders.write_search(folder / "search")


def page(run):
    page_text(*run_page(RunFolder(run)))


class DamageTest(unittest.TestCase):
    def test_whatever_is_damaged_there_is_a_page_or_an_error_of_one_line(self):
        pages = 0
        for seed in range(60):
            draw = random.Random(seed)
            with self.subTest(seed=seed), tempfile.TemporaryDirectory() as folder:
                one, other, search = write_folders(pathlib.Path(folder))
                files = [file for run in (one, search) for file in sorted(run.rglob("*")) if file.is_file()]
                for _ in range(draw.randint(1, 3)):
                    file = draw.choice(files)
                    by_value = file.suffix in (".json", ".jsonl") and draw.random() < 0.7
                    (change_values if by_value else change_bytes)(file, draw)
                for make in (
                    lambda: page(one),
                    lambda: page(search),
                    lambda: page_text(*comparison_page([RunFolder(one), RunFolder(other)])),
                ):
                    try:
                        make()
                        pages += 1
                    except Error as error:
                        self.assertEqual(len(str(error).splitlines()), 1)
                self.assertIn("other", runs.table(runs.runs_below(pathlib.Path(folder))))
        self.assertGreater(pages, 120)  # of 180


if __name__ == "__main__":
    unittest.main()
