"""TensorBoard's own reader reads what TensorBoardSink wrote: argument 1 is the program that writes."""

import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from tensorboard import context as tensorboard_context
from tensorboard.backend.event_processing import (
    data_provider,
    event_accumulator,
    event_file_loader,
    plugin_event_multiplexer,
)
from tensorboard.plugins import base_plugin
from tensorboard.plugins.hparams import api_pb2, backend_context, list_session_groups
from tensorboard.plugins.hparams import metadata as hparams
from tensorboard.util import tensor_util

WRITER = sys.argv.pop(1)


class TensorBoardSinkTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        output = subprocess.run([WRITER, cls.folder.name], check=True, capture_output=True, text=True)
        cls.first, cls.second = output.stdout.split()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def scalars(self, path):
        accumulator = event_accumulator.EventAccumulator(path)
        accumulator.Reload()
        return {tag: [(e.step, e.value) for e in accumulator.Scalars(tag)] for tag in accumulator.Tags()["scalars"]}

    def test_every_tag_step_and_value_is_read_back(self):
        found = self.scalars(self.first)
        epochs = range(1, 6)
        expected = {
            "counters/epoch": [(512 * e, float(e)) for e in epochs],
            "counters/total_steps": [(512 * e, 512.0 * e) for e in epochs],
            "train/policy_loss": [(512 * e, -0.25 * e) for e in epochs],
            "eval/return_mean": [(512 * e, 1e6 * e) for e in epochs if e >= 2],
        }
        costs = found.pop("episode/stat/cost")
        self.assertEqual(found, expected)
        self.assertEqual([step for step, _ in costs], [512 * e for e in epochs])
        for (_, cost), epoch in zip(costs, epochs):
            self.assertAlmostEqual(cost, epoch / 3, places=6)

    def test_the_first_record_is_the_file_version(self):
        first = next(iter(event_file_loader.LegacyEventFileLoader(self.first).Load()))
        self.assertEqual(first.file_version, "brain.Event:2")
        self.assertGreater(first.wall_time, 1.6e9)

    def test_names_sort_by_time_and_no_file_is_written_twice(self):
        for path in (self.first, self.second):
            self.assertRegex(os.path.basename(path), r"^events\.out\.tfevents\.\d{10}\.[^/]+$")
        self.assertLess(self.first, self.second)

    def test_names_sort_after_those_of_a_clock_that_was_set_back_since(self):
        with tempfile.TemporaryDirectory() as folder:
            before = os.path.join(folder, "events.out.tfevents.4000000000.zebra.12.dray")
            shutil.copy(self.first, before)
            output = subprocess.run([WRITER, folder], check=True, capture_output=True, text=True)
            self.assertLess(before, output.stdout.split()[0])
            self.assertLess(*output.stdout.split())
            losses = self.scalars(folder)["train/policy_loss"]
        self.assertEqual(losses[-1], (2048, 40.0))  # of the newest file

    def test_a_resumed_run_replaces_the_steps_after_the_one_it_goes_on_from(self):
        losses = self.scalars(self.folder.name)["train/policy_loss"]
        self.assertEqual(losses, [(512, -0.25), (1024, -0.5), (1536, -0.75), (2048, 40.0)])

    def test_a_report_without_steps_is_placed_at_its_epoch_and_nan_stays_nan(self):
        [(step, value)] = self.scalars(self.second)["counters/update"]
        self.assertEqual(step, 9999)
        self.assertTrue(math.isnan(value))

    def test_the_help_text_is_the_description_also_of_a_scalar_that_appears_later(self):
        accumulator = event_accumulator.EventAccumulator(self.first)
        accumulator.Reload()
        for tag in ("train/policy_loss", "eval/return_mean"):
            metadata = accumulator.SummaryMetadata(tag)
            self.assertTrue(re.search("policy|evaluation", metadata.summary_description), metadata)
            self.assertEqual((metadata.plugin_data.plugin_name, metadata.data_class), ("scalars", 1))

    def hparams(self, tag):
        accumulator = event_accumulator.EventAccumulator(self.folder.name)
        accumulator.Reload()
        metadata = accumulator.SummaryMetadata(tag)
        self.assertEqual((metadata.plugin_data.plugin_name, metadata.data_class), ("hparams", 2))
        self.assertEqual(tensor_util.make_ndarray(accumulator.Tensors(tag)[0].tensor_proto).shape, (0,))
        return metadata.plugin_data.content

    def test_settings_have_their_types(self):
        start = hparams.parse_session_start_info_plugin_data(self.hparams(hparams.SESSION_START_INFO_TAG))
        found = {name: getattr(value, value.WhichOneof("kind")) for name, value in start.hparams.items()}
        expected = {
            "ppo.gamma": 0.99,
            "run.tensorboard": True,
            "env.name": "cartpole",
            "run.init_from": "",
            "network.hidden": "[64, 64]",
        }
        self.assertEqual(found, expected)
        self.assertGreater(start.start_time_secs, 1.6e9)

    def test_a_finished_run_succeeded(self):
        end = hparams.parse_session_end_info_plugin_data(self.hparams(hparams.SESSION_END_INFO_TAG))
        self.assertEqual(end.status, api_pb2.STATUS_SUCCESS)
        self.assertGreater(end.end_time_secs, 1.6e9)

    def test_the_hparams_tab_shows_runs_with_settings_and_final_metrics(self):
        with tempfile.TemporaryDirectory() as logs:
            for run in ("one", "two"):
                shutil.copytree(self.folder.name, os.path.join(logs, run))
            multiplexer = plugin_event_multiplexer.EventMultiplexer().AddRunsFromDirectory(logs)
            multiplexer.Reload()
            provider = data_provider.MultiplexerDataProvider(multiplexer, logs)
            context = backend_context.Context(base_plugin.TBContext(data_provider=provider))
            statuses = [api_pb2.STATUS_SUCCESS, api_pb2.STATUS_RUNNING, api_pb2.STATUS_UNKNOWN]
            request = api_pb2.ListSessionGroupsRequest(start_index=0, slice_size=10, allowed_statuses=statuses)
            request.include_metrics = True
            shown = list_session_groups.Handler(tensorboard_context.RequestContext(), context, "", request).run()
        self.assertEqual([group.name for group in shown.session_groups], ["one", "two"])
        group = shown.session_groups[0]
        self.assertEqual(group.hparams["ppo.gamma"].number_value, 0.99)
        metrics = {value.name.tag: (value.value, value.training_step) for value in group.metric_values}
        self.assertEqual(metrics["train/policy_loss"], (40.0, 2048))  # of the resumed file

    def test_tensorboard_s_reader_has_nothing_to_warn_of(self):
        with self.assertNoLogs("tensorboard", level="WARNING"):
            self.scalars(self.first)


if __name__ == "__main__":
    unittest.main()
