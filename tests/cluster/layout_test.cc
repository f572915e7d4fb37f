#include "src/cluster/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"

namespace dray {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Cluster::Info With(double cpus, double gpus = 0) {
  Cluster::Info info;
  info.address = "10.0.0.1:6379";
  info.cpus = info.free_cpus = cpus;
  info.gpus = info.free_gpus = gpus;
  return info;
}

RunPlan Shards(int count) {
  RunPlan plan;
  plan.shard_sizes.assign(static_cast<size_t>(count), 8);
  plan.rollout_bytes = 1'000'000;
  plan.estimated_ram_bytes = 200'000'000;
  return plan;
}

std::string Complaint(const Config& config, const RunPlan& plan, const Cluster::Info& info,
                      int oracles = 0) {
  try {
    LayOut(config, plan, oracles, info);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(ShardingOf, IsAShardPerCpuAndTheAsynchronousLearnerHasItsOwn) {
  Config config;
  EXPECT_EQ(ShardingOf(config, {}, With(16)).most_shards, 16);
  config.mutable_ppo()->set_max_policy_lag(1);
  config.mutable_scale()->set_learner_threads(2);
  EXPECT_EQ(ShardingOf(config, {}, With(16)).most_shards, 14);
  EXPECT_EQ(ShardingOf(config, {}, With(1)).most_shards, 1);
}

TEST(ShardingOf, AllShardsOfASingleNodeShareAnActor) {
  Config config;
  EnvSpec spec;
  EXPECT_EQ(ShardingOf(config, spec, With(16)).shards_per_actor, 16);
  spec.service_actors = 1;  // two actors take turns with the oracle
  EXPECT_EQ(ShardingOf(config, spec, With(16)).shards_per_actor, 8);
  EXPECT_EQ(ShardingOf(config, spec, With(3)).shards_per_actor, 2);
  spec.service_actors = 3;
  EXPECT_EQ(ShardingOf(config, spec, With(24)).shards_per_actor, 4);
  Cluster::Info two_nodes = With(16);
  two_nodes.nodes = 2;
  EXPECT_EQ(ShardingOf(config, {}, two_nodes).shards_per_actor, 1);
  config.mutable_scale()->set_num_workers(4);
  EXPECT_EQ(ShardingOf(config, {}, With(16)).shards_per_actor, 1);
  config.mutable_ray()->set_shards_per_actor(3);
  EXPECT_EQ(ShardingOf(config, {}, With(16)).shards_per_actor, 3);
}

TEST(LayOut, AShardHasACpuOrAnEvenShareOfWhatIsFree) {
  EXPECT_EQ(LayOut({}, Shards(4), 0, With(8)).shard_cpus, 1);
  EXPECT_EQ(LayOut({}, Shards(4), 0, With(2)).shard_cpus, 0.5);
  EXPECT_NEAR(LayOut({}, Shards(3), 0, With(2)).shard_cpus, 0.66, 1e-9);
}

TEST(LayOut, AnActorHasACpuForEachOfItsShards) {
  RunPlan plan = Shards(16);
  plan.shards_per_actor = 8;
  EXPECT_EQ(LayOut({}, plan, 0, With(16)).shard_cpus, 8);
  EXPECT_EQ(LayOut({}, plan, 0, With(4)).shard_cpus, 2);
  EXPECT_EQ(LayOut({}, Shards(16), 0, With(32)).shard_cpus, 1);
}

TEST(LayOut, ALearnerThatWasFoundFasterOnTheCpuLeavesTheGpuToTheOracles) {
  Config config;
  config.mutable_scale()->set_learner_device(CPU);
  const ClusterLayout on_cpu = LayOut(config, Shards(2), 1, With(8, 1));
  EXPECT_EQ(on_cpu.learner_gpus, 0);
  EXPECT_EQ(on_cpu.oracle_gpus, 1);
  config.mutable_scale()->set_learner_device(CUDA);
  const ClusterLayout on_gpu = LayOut(config, Shards(2), 1, With(8, 1));
  EXPECT_EQ(on_gpu.learner_gpus, 0.5);
  EXPECT_EQ(on_gpu.oracle_gpus, 0.5);
}

TEST(LayOut, TooFewCpusAreSaidInOneLine) {
  Config config;
  config.mutable_ray()->set_shard_cpus(1);
  EXPECT_THAT(Complaint(config, Shards(4), With(2)),
              AllOf(HasSubstr("2 CPUs free of 2"), HasSubstr("4 shards"), HasSubstr("need 4"),
                    Not(HasSubstr("\n"))));
  Cluster::Info busy = With(8);
  busy.free_cpus = 3;
  EXPECT_THAT(Complaint(config, Shards(4), busy), HasSubstr("3 CPUs free of 8"));
}

TEST(LayOut, AGpuThatIsNotThereIsSaidInOneLine) {
  Config config;
  config.mutable_run()->set_device(CUDA);
  EXPECT_THAT(Complaint(config, Shards(1), With(4)), HasSubstr("has no GPU"));
  EXPECT_EQ(LayOut(config, Shards(1), 0, With(4, 1)).learner_gpus, 1);
  config.mutable_ray()->set_learner_gpus(2);
  EXPECT_THAT(Complaint(config, Shards(1), With(4, 1)), HasSubstr("1 GPUs free of 1"));
}

TEST(LayOut, OraclesShareTheGpusThatTheLearnerLeaves) {
  const ClusterLayout layout = LayOut({}, Shards(1), 2, With(4, 1));
  EXPECT_NEAR(layout.learner_gpus + 2 * layout.oracle_gpus, 1, 1e-9);
  const ClusterLayout whole = LayOut({}, Shards(1), 3, With(4, 4));
  EXPECT_EQ(whole.learner_gpus, 1);
  EXPECT_EQ(whole.oracle_gpus, 1);
}

TEST(LayOut, AStoreTooSmallForTheBatchesIsSaidInOneLine) {
  Cluster::Info info = With(4);
  info.object_store_bytes = 3'000'000;
  EXPECT_THAT(Complaint({}, Shards(1), info), HasSubstr("object store"));
  info.object_store_bytes = 5'000'000;
  EXPECT_EQ(Complaint({}, Shards(1), info), "");
}

TEST(LayOut, TooLittleMemoryIsSaidInOneLine) {
  Cluster::Info info = With(4);
  info.memory_bytes = 300'000'000;
  EXPECT_THAT(Complaint({}, Shards(1), info), HasSubstr("of memory"));
}

}  // namespace
}  // namespace dray
