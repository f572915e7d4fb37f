"""Drawings inside a page. Argument: dray/report/__main__.py."""

import pathlib
import re
import tempfile
import unittest

import run_folders

from dray.report.drawing import Picture

HOME, FAR, OTHER = (10, 10), (200, 10), (200, 300)


class DrawingTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def written(self, name, text):
        file = self.folder / name
        file.write_text(text)
        return file

    def shown(self, text, **further):
        return Picture(self.written("one.svg", text), "A day", "How to read it.", **further).html()

    def test_paper_and_ink_have_the_pages_colours_and_all_else_its_own(self):
        shapes = ('<text x="1" y="2" fill="#222222">Load</text>', '<circle r="3" fill="#0072b2" stroke="#ffffff"/>')
        drawn = self.shown(run_folders.picture(*shapes))
        self.assertIn('viewBox="0 0 800 400"', drawn)
        self.assertIn('class="background" style="fill:var(--raised);"', drawn)
        self.assertIn('<text x="1" y="2" style="fill:var(--ink);">Load</text>', drawn)
        self.assertIn('<circle r="3" fill="#0072b2" style="stroke:var(--raised);">', drawn)

    def test_nothing_in_a_drawing_can_run_or_load(self):
        drawn = self.shown(
            run_folders.picture(
                "<script>alert(1)</script>",
                '<rect onclick="alert(2)" width="3" style="fill:url(http://x)"/>',
                '<image href="http://x/y.png"/>',
                "<foreignObject><b>bold</b></foreignObject>",
                '<text id="z">a &lt;b&gt;</text>',
            )
        )
        for part in ("script", "alert", "http", "image", "foreign", "bold", "id="):
            self.assertNotIn(part, drawn)
        self.assertIn("<text>a &lt;b&gt;</text>", drawn)

    def test_a_file_that_is_no_drawing_is_noted(self):
        entity = '<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"><text>&a;</text></svg>'
        for text in ("<svg onload='alert(3)'>", "<html/>", "", entity):
            self.assertRegex(self.shown(text), '<p class="note">one.svg cannot be shown: ')

    def test_what_two_maps_share_is_grey(self):
        other = self.written("other.svg", run_folders.picture(run_folders.route("#0072b2", HOME, FAR)))
        drawn = self.shown(run_folders.picture(run_folders.route("#d55e00", HOME, FAR, OTHER)), compared=other)
        classes = re.findall(r'<(\w+)[^>]* class="(leg|arrow|stop)( same)?"', drawn)
        self.assertEqual(
            [(kind, bool(same)) for _, kind, same in classes],
            [
                ("leg", True),
                ("arrow", True),
                ("leg", False),
                ("arrow", False),
                ("stop", True),  # all of its legs are the same
                ("stop", False),
                ("stop", False),
            ],
        )

    def test_a_map_alone_is_in_colour(self):
        self.assertNotIn("same", self.shown(run_folders.picture(run_folders.route("#d55e00", HOME, FAR))))


if __name__ == "__main__":
    unittest.main()
