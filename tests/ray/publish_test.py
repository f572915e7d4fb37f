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
            named = ray.util.list_named_actors(all_namespaces=True)  # each run has a namespace of its own
            spaces = [each["namespace"] for each in named if each["name"] == "{run}:metrics"]
            bridge = ray.get_actor("{run}:metrics", namespace=spaces[0])
            for _ in range(100):
                shown = ray.get(bridge.retire.remote())
                if shown:
                    break
                time.sleep(0.1)
            print(shown)
        """)
        environment = {**self.ray.environment, "PYTHONPATH": ray_test.PYTHON}
        done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
        self.assertEqual(done.stdout, "3\n", done.stderr)
        out, errors = driver.communicate()
        self.assertEqual((driver.returncode, errors), (0, ""), out)


if __name__ == "__main__":
    ray_test.main()
