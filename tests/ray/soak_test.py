"""Half an hour on Ray: the memory of every actor stays flat, the object store does not grow, no batch is dropped or lost.

SOAK_MINUTES sets another length.
"""

import os
import unittest

import training_on_ray

MINUTES = float(os.environ.get("SOAK_MINUTES", "30"))
SOAK = """
env: {name: dvrptw, dvrptw: {encoding: s2, oracle: {placement: actor}}}
train: {episodes: 0, duration_s: %f}
scale: {num_envs: 16, envs_per_shard: 8}
ppo: {value_epochs: 4, policy_epochs: 2, minibatch_size: 64, learning_rate_schedule: constant}
network: {hidden: [64, 64]}
evaluation: {interval: 50, episodes: 4}
run: {save_interval: 100, tensorboard: false, log_interval: 10}
ray: {embedder: actor}
""" % (MINUTES * 60)


class SoakTest(training_on_ray.TrainingTest):
    def test_nothing_grows(self):
        self.config.write_text(SOAK)
        store = []
        training = self.start()
        while training.process.poll() is None:
            try:
                training.process.wait(MINUTES * 6)
            except training_on_ray.subprocess.TimeoutExpired:
                store.append(self.ray.object_store_bytes())
        self.assertEqual(training.process.returncode, 0, training.output()[-3000:])
        reports = training.reports()
        print(f"{len(reports)} reports, {reports[-1]['total_steps']} steps, object store {store} bytes")
        for name in ("batches/dropped", "batches/lost", "actors/restarted"):
            self.assertEqual(reports[-1][name], 0, name)
        # The first fifth fills caches and buffers.
        settled, last = reports[len(reports) // 5], reports[-1]
        for name in last:
            if not name.endswith(("/memory_mb", "rss_mb")):
                continue
            print(f"{name}: {reports[0].get(name, 0):.0f}, {settled[name]:.0f}, {last[name]:.0f} MB")
            self.assertLess(last[name], settled[name] * 1.05 + 10, name)
        # Four batches of 0.3 MB, weights and beliefs at most.
        self.assertGreater(len(store), 3)
        self.assertLess(max(store), 20e6)


if __name__ == "__main__":
    unittest.main()
