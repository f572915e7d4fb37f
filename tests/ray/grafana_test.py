"""The Grafana dashboard: current, what Grafana can load, and about what the metrics bridge exports."""

import json
import pathlib
import re
import sys
import unittest

PACKAGES = pathlib.Path(sys.argv.pop(1)).parents[1]
DASHBOARD = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(PACKAGES))

from dray import grafana, metrics_table  # noqa: E402

ENDPOINT_NAME = re.compile(r"\bray_\w+")


def overlap(one, other):
    return (
        one["x"] < other["x"] + other["w"]
        and other["x"] < one["x"] + one["w"]
        and one["y"] < other["y"] + other["h"]
        and other["y"] < one["y"] + one["h"]
    )


class GrafanaTest(unittest.TestCase):
    def setUp(self):
        self.metrics = metrics_table.read_metrics()
        self.dashboard = json.loads(DASHBOARD.read_text())
        self.panels = [panel for panel in self.dashboard["panels"] if panel["type"] != "row"]

    def exported(self):
        return {metrics_table.gauge_of(name).endpoint_name for name in self.metrics}

    def test_the_file_is_current(self):
        self.assertEqual(DASHBOARD.read_text(), grafana.text(), "run scripts/generate.sh")

    def test_every_metric_of_the_reference_is_read(self):
        rows = [line for line in metrics_table.REFERENCE.read_text().splitlines() if line.startswith("| `")]
        self.assertGreater(len(rows), 40)
        self.assertEqual(len(self.metrics), len(rows))
        self.assertEqual(self.metrics["lag/max"].unit, "updates")
        self.assertIn("|ratio - 1|", self.metrics["train/first_ratio_error"].help)

    def test_every_metric_is_in_one_panel(self):
        shown = [
            name
            for panel in self.panels
            for target in panel["targets"]
            for name in ENDPOINT_NAME.findall(target["expr"])
        ]
        self.assertEqual(sorted(shown), sorted(self.exported()))

    def test_a_new_metric_comes_up_without_a_place_of_its_own(self):
        new = metrics_table.Metric("sky/colour", "nm", "Colour of the sky")
        row, _, metrics = grafana.panels_of({**self.metrics, new.name: new})[-1]
        self.assertEqual((row, metrics), ("Other", [new]))

    def test_every_expression_chooses_the_run_and_survives_a_new_bridge(self):
        for panel in self.panels:
            for target in panel["targets"]:
                self.assertRegex(target["expr"], r'^max by \(run(, \w+)*\) \(ray_dray_\w+\{run=~"\$run"\}\)$')

    def test_numbers_with_an_index_are_told_apart_by_their_tag(self):
        targets = {target["expr"]: target["legendFormat"] for panel in self.panels for target in panel["targets"]}
        legend = targets['max by (run, stat) (ray_dray_episode_stat{run=~"$run"})']
        self.assertEqual(legend, "{{run}} episode/stat/{{stat}}")
        self.assertNotIn("<name>", "".join(targets.values()))

    def test_it_has_what_grafana_needs(self):
        for field in ("uid", "title", "schemaVersion", "panels", "templating", "time"):
            self.assertIn(field, self.dashboard)
        for panel in self.dashboard["panels"]:
            self.assertEqual(panel["gridPos"].keys(), {"h", "w", "x", "y"})
            self.assertTrue(panel["title"])
        for panel in self.panels:
            self.assertEqual(panel["datasource"], {"type": "prometheus", "uid": "${datasource}"})
            self.assertTrue(panel["targets"])
            ref_ids = [target["refId"] for target in panel["targets"]]
            self.assertEqual(len(set(ref_ids)), len(ref_ids))
            for target in panel["targets"]:
                self.assertEqual(target["datasource"], panel["datasource"])

    def test_panels_have_a_number_and_a_place_of_their_own(self):
        panels = self.dashboard["panels"]
        self.assertEqual(len({panel["id"] for panel in panels}), len(panels))
        for index, panel in enumerate(panels):
            self.assertLessEqual(panel["gridPos"]["x"] + panel["gridPos"]["w"], 24)
            for other in panels[:index]:
                self.assertFalse(overlap(panel["gridPos"], other["gridPos"]), (panel["title"], other["title"]))

    def test_the_data_source_and_the_run_are_variables(self):
        variables = {variable["name"]: variable for variable in self.dashboard["templating"]["list"]}
        self.assertEqual(variables["datasource"]["query"], "prometheus")
        self.assertEqual(variables["run"]["query"]["query"], "label_values(ray_dray_epoch, run)")
        self.assertIn("ray_dray_epoch", self.exported())


class GaugeNameTest(unittest.TestCase):
    def test_no_two_metrics_share_a_gauge(self):
        names = [metrics_table.gauge_of(name).name for name in metrics_table.read_metrics()]
        self.assertEqual(len(set(names)), len(names))

    def test_an_index_is_a_tag_and_not_part_of_the_name(self):
        gauge = metrics_table.gauge_of("actor/shard-3/busy_s")
        self.assertEqual((gauge.name, gauge.tags), ("dray_actor_busy_s", (("actor", "shard-3"),)))
        self.assertEqual(gauge.row, "actor/<name>/busy_s")

    def test_every_index_of_the_reference_is_a_tag(self):
        for name in metrics_table.read_metrics():
            gauge = metrics_table.gauge_of(name)
            self.assertEqual(gauge.row, name)
            self.assertEqual(len(gauge.tags), name.count("<name>"))

    def test_a_name_is_made_of_what_prometheus_allows(self):
        for name in [*metrics_table.read_metrics(), "eval/win-rate é", "actor/a b/c.d"]:
            self.assertRegex(metrics_table.gauge_of(name).name, r"^dray_[a-zA-Z0-9_]+$")


if __name__ == "__main__":
    unittest.main()
