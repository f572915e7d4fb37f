"""The cluster files: Ray's own validator for its launcher, and for KubeRay's manifest what its schema cannot know.

Arguments: scripts/cluster/ray_cluster.yaml, scripts/cluster/kuberay.yaml, scripts/packages/ray.in. DRAY_KUBERAY_CRDS names a folder with KubeRay's
files ray.io_rayclusters.yaml and ray.io_rayjobs.yaml (helm-chart/kuberay-operator/crds in its repository) to check the manifest's fields, too.
"""

import os
import pathlib
import re
import sys
import unittest

import jsonschema
import yaml
from ray.autoscaler._private.util import prepare_config, validate_config

LAUNCHER, MANIFEST, PACKAGES = (pathlib.Path(sys.argv.pop(1)) for _ in range(3))
CRDS = os.environ.get("DRAY_KUBERAY_CRDS")


class LauncherTest(unittest.TestCase):
    def setUp(self):
        self.config = yaml.safe_load(LAUNCHER.read_text())

    def test_ray_s_validator_takes_it(self):
        validate_config(prepare_config(self.config))
        with self.assertRaises(Exception):  # noqa: B017 (of a library of Ray's choice)
            validate_config(prepare_config({**self.config, "sertup_commands": []}))

    def test_every_machine_is_a_worker_from_the_start(self):
        count = len(self.config["provider"]["worker_ips"])
        self.assertEqual((self.config["min_workers"], self.config["max_workers"]), (count, count))

    def test_every_node_starts_with_the_token(self):
        self.assertIn("~/.ray/auth_token", self.config["file_mounts"])
        for kind in ("head", "worker"):
            start = self.config[f"{kind}_start_ray_commands"][-1]
            self.assertTrue(start.startswith("RAY_AUTH_MODE=token ~/dray/bin/ray start "), start)


class ManifestTest(unittest.TestCase):
    def setUp(self):
        self.documents = {document["kind"]: document for document in yaml.safe_load_all(MANIFEST.read_text())}
        self.cluster, self.job = self.documents["RayCluster"]["spec"], self.documents["RayJob"]["spec"]
        self.head, *self.workers = (
            group["template"]["spec"] for group in (self.cluster["headGroupSpec"], *self.cluster["workerGroupSpecs"])
        )

    def test_nodes_have_the_ray_that_dray_is_built_with(self):
        version = re.search(r"^ray-cpp==(.*)$", PACKAGES.read_text(), re.M)[1]
        self.assertEqual(self.cluster["rayVersion"], version)
        images = {container["image"] for pod in (self.head, *self.workers) for container in pod["containers"]}
        self.assertEqual(len(images), 1)

    def test_the_head_alone_has_a_gpu(self):
        def gpus(pod):
            return sum(
                int(container["resources"]["limits"].get("nvidia.com/gpu", 0)) for container in pod["containers"]
            )

        self.assertEqual(gpus(self.head), 1)
        self.assertEqual([gpus(pod) for pod in self.workers], [0] * len(self.workers))

    def test_the_token_is_a_secret_and_not_in_the_file(self):
        self.assertEqual(self.cluster["authOptions"], {"mode": "token", "secretName": "dray-token"})
        self.assertNotIn("Secret", self.documents)

    def test_the_training_runs_on_this_cluster_and_its_folder_outlives_it(self):
        self.assertEqual(
            self.job["clusterSelector"], {"ray.io/cluster": self.documents["RayCluster"]["metadata"]["name"]}
        )
        claim = self.head["volumes"][0]["persistentVolumeClaim"]["claimName"]
        self.assertEqual(claim, self.documents["PersistentVolumeClaim"]["metadata"]["name"])
        mount = self.head["containers"][0]["volumeMounts"][0]["mountPath"]
        self.assertIn(f" --run-dir {mount}/", self.job["entrypoint"])

    @unittest.skipUnless(CRDS, "DRAY_KUBERAY_CRDS names no folder with KubeRay's schemas")
    def test_every_field_is_in_kuberay_s_schema(self):
        for kind, file in (("RayCluster", "ray.io_rayclusters.yaml"), ("RayJob", "ray.io_rayjobs.yaml")):
            definition = yaml.safe_load((pathlib.Path(CRDS) / file).read_text())
            [schema] = [
                version["schema"]["openAPIV3Schema"]
                for version in definition["spec"]["versions"]
                if version["name"] == "v1"
            ]
            schema["properties"]["metadata"] = {}
            jsonschema.validate(self.documents[kind], without_unknown_fields(schema))


def without_unknown_fields(schema):
    """The schema of a CRD as JSON Schema has it: a field that Kubernetes would drop is an error."""
    if not isinstance(schema, dict):
        return schema
    if schema.get("x-kubernetes-int-or-string"):
        return {"type": ["integer", "string"]}
    changed = {
        key: without_unknown_fields(value) if key in ("items", "additionalProperties") else value
        for key, value in schema.items()
    }
    if "properties" in schema:
        changed["properties"] = {name: without_unknown_fields(value) for name, value in schema["properties"].items()}
        if not schema.get("x-kubernetes-preserve-unknown-fields"):
            changed.setdefault("additionalProperties", False)
    return changed


if __name__ == "__main__":
    unittest.main()
