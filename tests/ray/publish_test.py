"""Reports on their way to Ray's metrics."""

import subprocess
import sys
import textwrap

import ray_test


def publishes(cluster):
    """A run that goes on until its standard input closes."""
    for epoch in range(3):
        cluster.publish(epoch, {"episode/return": 2.0 * epoch, "time/epoch_s": 0.1})
    print("published", flush=True)
    sys.stdin.read()
    return "done"


class PublishTest(ray_test.RayTest):
    def test_a_report_reaches_the_bridge_actor_of_its_run(self):
        driver = self.start_driver(publishes)
        self.assertEqual(driver.stdout.readline(), "published\n")
        run = f"run-{driver.pid}"
        program = textwrap.dedent(f"""
            import ray, ray.util, time
            from ray.job_config import JobConfig
            ray.init(address="{self.ray.address}", log_to_driver=False, logging_level="ERROR",
                     job_config=JobConfig(code_search_path=["{ray_test.PYTHON}"]))
            def until(found):
                while not (value := found()):
                    time.sleep(0.1)
                return value
            def namespaces():  # each run has one of its own
                named = ray.util.list_named_actors(all_namespaces=True)
                return [each["namespace"] for each in named if each["name"] == "{run}:metrics"]
            bridge = ray.get_actor("{run}:metrics", namespace=until(namespaces)[0])
            print(until(lambda: ray.get(bridge.retire.remote())))
        """)
        environment = {**self.ray.environment, "PYTHONPATH": ray_test.PYTHON}
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=environment,
            capture_output=True,
            text=True,
            timeout=ray_test.PATIENCE_S,
        )
        self.assertEqual(done.stdout, "3\n", done.stderr)
        out, errors = driver.communicate()
        self.assertEqual((driver.returncode, errors), (0, ""), out)


if __name__ == "__main__":
    ray_test.main()
