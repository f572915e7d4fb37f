"""Presets are valid by configs/schema.json, which editors check them by, and mistakes are not."""

import json
import pathlib
import re
import unittest

import jsonschema
import yaml

CONFIGS = pathlib.Path("configs")


class Yaml12(yaml.SafeLoader):
    """Numbers as the engine and editors read them: PyYAML takes 1e-3 for text."""


Yaml12.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+$"), list("-+0123456789")
)


class SchemaTest(unittest.TestCase):
    def setUp(self):
        schema = json.loads((CONFIGS / "schema.json").read_text())
        jsonschema.Draft7Validator.check_schema(schema)
        self.validator = jsonschema.Draft7Validator(schema)

    def errors(self, text):
        return [error.message for error in self.validator.iter_errors(yaml.load(text, Yaml12))]

    def test_every_preset_is_valid_and_names_the_schema(self):
        presets = sorted(CONFIGS.glob("*.yaml"))
        self.assertGreater(len(presets), 15)
        for path in presets:
            with self.subTest(path.name):
                text = path.read_text()
                self.assertEqual(self.errors(text), [])
                self.assertEqual(text.splitlines()[-1], "# yaml-language-server: $schema=schema.json")

    def test_mistakes_are_refused(self):
        for text, says in (
            ("ppo: {learning_rat: 1.0e-3}", "'learning_rat' was unexpected"),
            ("ppo: {learning_rate: 0}", "0"),
            ("ppo: {learning_rate: fast}", "'fast' is not of type 'number'"),
            ("run: {device: gpu}", "'gpu' is not one of ['auto', 'cpu', 'cuda', 'mps']"),
            ("env: {cage2: {redd: bline}}", "'redd' was unexpected"),
            ("network: {hidden: 64}", "64 is not of type 'array'"),
        ):
            with self.subTest(text):
                errors = self.errors(text)
                self.assertEqual(len(errors), 1, errors)
                self.assertIn(says, errors[0])

    def test_what_the_engine_takes_is_taken(self):
        self.assertEqual(
            self.errors("include: [cartpole.yaml]\nscale: {num_envs: auto}\nppo: {learning_rate: 1e-3}"), []
        )


if __name__ == "__main__":
    unittest.main()
