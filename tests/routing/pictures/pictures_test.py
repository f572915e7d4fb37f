"""Pictures of all kinds of plans, read as XML; argument 1 is the program that draws them."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

SAMPLES = sys.argv.pop(1)
SVG = "{http://www.w3.org/2000/svg}"
# Stops and vehicles of each sample's plan, stops that it leaves out. A stop visited twice counts twice.
EXPECTED = {
    "city": (60, 5, 0),
    "large": (200, 7, 0),
    "solomon": (100, 20, 0),
    "wide": (50, 5, 0),
    "pairs": (106, 19, 0),
    "names": (2, 1, 4),
    "empty": (0, 0, 6),
    "broken": (5, 3, 2),
    "nothing": (0, 0, 0),
    "one_place": (3, 1, 0),
}


def numbers(text):
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


def points(element):
    """Every point that an element of a drawing reaches."""

    def get(*names):
        return [float(element.get(name)) for name in names]

    if element.tag == SVG + "rect":
        x, y, width, height = get("x", "y", "width", "height")
        return [(x, y), (x + width, y + height)]
    if element.tag == SVG + "circle":
        x, y, radius = get("cx", "cy", "r")
        return [(x - radius, y - radius), (x + radius, y + radius)]
    if element.tag == SVG + "line":
        x1, y1, x2, y2 = get("x1", "y1", "x2", "y2")
        return [(x1, y1), (x2, y2)]
    if element.tag == SVG + "text":
        return [tuple(get("x", "y"))]
    values = numbers(element.get("d") or element.get("points") or "")
    return list(zip(values[::2], values[1::2]))


class PicturesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        subprocess.run([SAMPLES, cls.folder.name], check=True)
        cls.pictures = {
            path.stem: ElementTree.parse(path).getroot() for path in pathlib.Path(cls.folder.name).glob("*.svg")
        }

    def of_kind(self, name, kind):
        return [element for element in self.pictures[name].iter() if element.get("class") == kind]

    def test_every_sample_has_two_well_formed_pictures_and_nothing_else_is_left(self):
        names = {f"{sample}_{kind}" for sample in EXPECTED for kind in ("routes", "gantt")}
        self.assertEqual(set(self.pictures), names)
        self.assertEqual(len(list(pathlib.Path(self.folder.name).iterdir())), len(names))

    def test_every_stop_and_vehicle_appears(self):
        for sample, (stops, vehicles, absent) in EXPECTED.items():
            with self.subTest(sample):
                self.assertEqual(len(self.of_kind(sample + "_routes", "stop")), stops)
                self.assertEqual(len(self.of_kind(sample + "_gantt", "service")), stops)
                self.assertEqual(len(self.of_kind(sample + "_gantt", "window")), stops + absent)
                self.assertEqual(len(self.of_kind(sample + "_gantt", "label")), stops + absent)
                # Four texts in a row of the routes' legend.
                self.assertEqual(len(self.of_kind(sample + "_routes", "vehicle")), 4 * vehicles)
                self.assertEqual(len(self.of_kind(sample + "_gantt", "vehicle")), vehicles + (absent > 0))
                for kind in ("routes", "gantt"):
                    self.assertEqual(len(self.of_kind(f"{sample}_{kind}", "unserved")), 2 * absent)

    def test_every_request_is_labelled(self):
        wanted = {f"{end}{rider}" for end in "PD" for rider in range(1, 31)}
        for kind in ("routes", "gantt"):
            self.assertEqual({element.text for element in self.of_kind(f"city_{kind}", "label")}, wanted)

    def test_everything_is_within_the_view_box(self):
        for name, picture in self.pictures.items():
            _, _, width, height = numbers(picture.get("viewBox"))
            for element in picture.iter():
                for x, y in points(element):
                    self.assertTrue(-0.05 <= x <= width + 0.05 and -0.05 <= y <= height + 0.05, (name, element.attrib))

    def test_labels_on_the_map_do_not_cover_each_other(self):
        for name in ("city_routes", "solomon_routes"):
            labels = [(*points(element)[0], len(element.text)) for element in self.of_kind(name, "label")]
            for i, (x, y, letters) in enumerate(labels):
                for other_x, other_y, other_letters in labels[:i]:
                    apart = abs(y - other_y) >= 9 or abs(x - other_x) >= 6 * (letters + other_letters) / 2
                    self.assertTrue(apart, (name, x, y, other_x, other_y))

    def test_names_are_escaped(self):
        for kind in ("routes", "gantt"):
            picture = self.pictures[f"names_{kind}"]
            self.assertEqual(picture.find(SVG + "title").text, "<a> & \"b\" 'c'?? \u00e9")
            self.assertIn("<caption> & more", " ".join(element.text or "" for element in picture.iter(SVG + "text")))

    def test_nothing_comes_from_elsewhere(self):
        for picture in self.pictures.values():
            for element in picture.iter():
                self.assertNotIn(element.tag, (SVG + "script", SVG + "image", SVG + "style", SVG + "use"))
                self.assertFalse([name for name in element.attrib if "href" in name])

    def test_the_shifted_half_of_the_riders_shows_what_was_asked(self):
        self.assertEqual(len(self.of_kind("city_gantt", "asked")), 30)


if __name__ == "__main__":
    unittest.main()
