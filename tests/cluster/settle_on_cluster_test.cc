#include "src/cluster/settle_on_cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/config/yaml_loader.h"
#include "src/env/registry.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "tests/cluster/in_process_cluster.h"

namespace dray {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Cluster::Info With(double gpus) {
  Cluster::Info info;
  info.address = "here";
  info.cpus = info.free_cpus = 4;
  info.gpus = info.free_gpus = gpus;
  return info;
}

Config Deliveries(const std::string& oracle) {
  Config config;
  LoadYamlText("env: {name: dvrptw, dvrptw: {num_customers: 6, oracle: {" + oracle +
                   "}}}\nscale: {num_envs: 4, learner_device: cpu}\nnetwork: {hidden: [8]}\n",
               "test", &config);
  return config;
}

OraclePlacement::Kind PlacementOf(const Config& config) {
  return config.env().GetExtension(DvrptwConfig::dvrptw).oracle().placement();
}

TEST(SettleOnCluster, AnOracleOnAGpuBecomesAnActorThatThisMachineNeedNotHave) {
  Config config = Deliveries("kind: neural, device: cuda");
  TaskOf(config.env()).service->place_on_cluster(/*gpus=*/0, config.mutable_env());
  EXPECT_EQ(PlacementOf(config), OraclePlacement::ACTOR);
  EXPECT_EQ(SpecOf(config.env()).service_actors, 1);
}

TEST(SettleOnCluster, EveryGpuThatTheLearnerLeavesGetsAnOracle) {
  for (const auto& [learner, oracles] : {std::pair("auto", 3), {"cpu", 4}}) {
    InProcessCluster cluster(With(4));
    Config config = Deliveries("kind: neural, device: cpu, placement: actor");
    LoadYamlText(std::string("scale: {learner_device: ") + learner + "}\n", "test", &config);
    SettleOnCluster(cluster, 4, &config);
    EXPECT_EQ(SpecOf(config.env()).service_actors, oracles) << learner;
  }
  InProcessCluster cluster(With(4));
  Config asked = Deliveries("kind: neural, device: cpu, placement: actor, actors: 2");
  SettleOnCluster(cluster, 4, &asked);
  EXPECT_EQ(SpecOf(asked.env()).service_actors, 2);
}

TEST(SettleOnCluster, AnOracleOnTheCpuStaysWithItsShards) {
  InProcessCluster cluster(With(1));
  Config config = Deliveries("kind: ruin_recreate");
  EXPECT_THAT(SettleOnCluster(cluster, 4, &config), IsEmpty());
  EXPECT_EQ(PlacementOf(config), OraclePlacement::INLINE);
  EXPECT_THAT(cluster.started(), ElementsAre("settler"));
  EXPECT_THAT(cluster.alive(), IsEmpty());
  EXPECT_EQ(cluster.objects(), 0);
}

TEST(SettleOnCluster, WhatTheUserSetsStays) {
  Config config = Deliveries("kind: neural, device: cuda, placement: inline");
  TaskOf(config.env()).service->place_on_cluster(/*gpus=*/1, config.mutable_env());
  EXPECT_EQ(PlacementOf(config), OraclePlacement::INLINE);
}

TEST(SettleOnCluster, NothingIsTriedWithoutAGpuOrForTheCpu) {
  InProcessCluster without(With(0));
  Config config = Deliveries("kind: neural");
  EXPECT_THAT(SettleOnCluster(without, 4, &config), IsEmpty());
  EXPECT_THAT(without.started(), IsEmpty());
  InProcessCluster cluster(With(1));
  config.mutable_run()->set_device(CPU);
  EXPECT_THAT(SettleOnCluster(cluster, 4, &config), IsEmpty());
  EXPECT_THAT(cluster.started(), IsEmpty());
}

TEST(SettleOnCluster, ATrialThatFailsIsALineAndChangesNothing) {
  InProcessCluster cluster(With(1));
  cluster.set_strike([](const std::string&, const std::string&, int) {
    return InProcessCluster::Fate::kDiesBefore;
  });
  Config config = Deliveries("kind: neural, device: cuda");
  EXPECT_THAT(SettleOnCluster(cluster, 4, &config),
              ElementsAre(HasSubstr("the trial on the cluster's GPU failed: ")));
  EXPECT_EQ(PlacementOf(config), OraclePlacement::AUTO);
}

}  // namespace
}  // namespace dray
