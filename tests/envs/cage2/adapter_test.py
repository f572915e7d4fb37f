"""The Python adapter to CybORG sees, forbids and plays what Dray's own cage2 does, to the bit.

Arguments: the program observation_probe, and a file of the package dray.
"""

import pathlib
import subprocess
import sys
import unittest

import numpy

PROBE, PACKAGE = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1)).resolve().parent
sys.path.insert(0, str(PACKAGE.parent))
from dray.cage2_adapter import BITS, Cage2Adapter, action_name  # noqa: E402

EPISODES = 20
ORDER = ["user", "op_server", "enterprise", "defender", "op_host"]
ORDER_TEXT = " ".join(f"order: {unit.upper()}" for unit in ORDER)


def played(settings):
    """The lines of EPISODES episodes: output, mask, observation, what happened."""
    text = subprocess.run([PROBE, settings, str(EPISODES), "7"], check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        output, mask, values, story = line.split("\t")
        yield int(output), [c == "1" for c in mask], numpy.array(values.split(), numpy.float32), story


class AdapterTest(unittest.TestCase):
    def compare(self, text, **settings):
        """`text` is the same for the probe."""
        adapter = Cage2Adapter(settings)
        episodes = 0
        for output, mask, expected, story in played(text):
            if output < 0:
                episodes += 1
                seen = adapter.reset(expected[:BITS])
            else:
                self.assertIn(f"  blue  {action_name(adapter.take(output))} ", story)
                seen = adapter.observe(expected[:BITS])
            numpy.testing.assert_array_equal(seen, expected, err_msg=f"{text}, after: {story}")
            self.assertEqual(adapter.mask().tolist(), mask, f"{text}, after: {story}")
        self.assertEqual(episodes, EPISODES)

    def test_the_52_bits_and_145_actions(self):
        self.compare("red: 'bline'")

    def test_scan_memory_and_next_decoys(self):
        self.compare("red: 'meander' interface: REDUCED release: LEADERBOARD", interface="reduced")

    def test_notes(self):
        self.compare("red: 'meander' observe_history: true max_steps: 70", observe_history=True, max_steps=70)

    def test_notes_beside_scan_memory_with_false_alarms(self):
        self.compare(
            "red: '0.5 bline, 0.5 sleep' interface: REDUCED observe_history: true green: ON wrapper: CARDIFF",
            interface="reduced",
            observe_history=True,
        )

    def test_useless_actions_are_forbidden(self):
        self.compare("red: 'bline' observe_history: true mask_useless: true", observe_history=True, mask_useless=True)

    def test_a_workflow(self):
        workflow = {"enabled": True, "order": ORDER, "observe_fixed": True}
        self.compare(f"red: 'meander' workflow {{ enabled: true observe_fixed: true {ORDER_TEXT} }}", workflow=workflow)

    def test_rest_after_a_fix(self):
        workflow = {"enabled": True, "order": ORDER, "rest_steps": 3}
        self.compare(f"red: 'bline' workflow {{ enabled: true rest_steps: 3 {ORDER_TEXT} }}", workflow=workflow)

    def test_an_order_has_to_be_given_to_a_policy_for_all(self):
        adapter = Cage2Adapter({"workflow": {"enabled": True, "order": []}})
        bits = numpy.zeros(BITS)
        with self.assertRaisesRegex(ValueError, "pass one to reset"):
            adapter.reset(bits)
        with self.assertRaisesRegex(ValueError, "each of"):
            adapter.reset(bits, order=["user"])
        self.assertEqual(adapter.reset(bits, order=ORDER)[BITS:].reshape(5, 5).argmax(axis=1).tolist(), [4, 2, 1, 0, 3])

    def test_another_network_is_refused(self):
        with self.assertRaisesRegex(ValueError, "scenario2, and no other"):
            Cage2Adapter({"scenario": "office.yaml"})

    def test_what_is_not_the_challenge_s_observation_is_refused(self):
        with self.assertRaisesRegex(ValueError, "ChallengeWrapper"):
            Cage2Adapter({}).reset(numpy.zeros(77))
        with self.assertRaisesRegex(ValueError, "145 is not an output"):
            Cage2Adapter({}).take(145)


if __name__ == "__main__":
    unittest.main()
