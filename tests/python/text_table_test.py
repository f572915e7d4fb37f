"""Tables for a terminal. Argument: dray/__init__.py."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(sys.argv.pop(1)).resolve().parents[1]))

from dray.text_table import text_table


class TextTableTest(unittest.TestCase):
    def test_names_begin_and_numbers_end_at_the_same_place(self):
        self.assertEqual(
            text_table([["run", "steps"], ["a", "1,000"], ["longer", "7"]], numbers=(1,)),
            "run     steps\na       1,000\nlonger      7",
        )

    def test_no_line_ends_with_spaces(self):
        self.assertEqual(text_table([["a", "long text"], ["b", ""], ["", ""]], indent="  "), "  a  long text\n  b\n")


if __name__ == "__main__":
    unittest.main()
