#include "src/loop/oracle_choice.h"

#include <ATen/Context.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"
#include "src/config/yaml_loader.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/registry.h"

namespace dray {
namespace {

using testing::HasSubstr;

OracleConfig Of(OracleConfig::Kind kind, Device device) {
  OracleConfig config;
  config.set_kind(kind);
  config.set_device(device);
  return config;
}

// What was measured on real machines: nothing may be chosen that is slower than the best by more
// than a tenth.
TEST(OracleChoice, IsNeverMuchSlowerThanTheBest) {
  const OracleConfig search = Of(OracleConfig::RUIN_RECREATE, AUTO),
                     gpu = Of(OracleConfig::NEURAL, CUDA), cpu = Of(OracleConfig::NEURAL, CPU);
  const std::vector<std::vector<PricingTime>> recorded = {
      {{search, 1.5e-3}, {gpu, 3.0e-3}},  // 256 environments on 16 cores and an H200
      {{search, 8.2e-3}, {gpu, 1.4e-3}},  // 2 cores and a GPU
      {{cpu, 11e-3}, {gpu, 3.0e-3}},
      {{cpu, 0.6e-3}, {gpu, 1.1e-3}},
      {{search, 1.05e-3}, {gpu, 1.0e-3}},
      {{search, 1.0e-3}, {gpu, 1.0e-3}},
      {{search, 0}, {gpu, 1}},
      {{search, 1}}};
  for (const std::vector<PricingTime>& times : recorded) {
    const OracleChoice choice = QuickestOracle(times, 256);
    double best_s = times[0].step_s, chosen_s = -1;
    for (const PricingTime& time : times) {
      best_s = std::min(best_s, time.step_s);
      if (time.oracle.SerializeAsString() == choice.oracle.SerializeAsString()) {
        chosen_s = time.step_s;
      }
    }
    EXPECT_GE(chosen_s, 0);
    EXPECT_LE(chosen_s, 1.1 * best_s);
  }
  // About as quick: the one whose plans are better.
  EXPECT_EQ(QuickestOracle(recorded[4], 256).oracle.kind(), OracleConfig::RUIN_RECREATE);
  EXPECT_THAT(QuickestOracle(recorded[0], 256).why,
              testing::StrEq("oracle auto: ruin_recreate; pricing a step of 256 environments takes "
                             "1.5 ms by ruin_recreate, 3 ms by neural on cuda"));
}

TEST(OracleChoice, ACandidateThatFailsIsLeftOutAndNamed) {
  const OracleConfig search = Of(OracleConfig::RUIN_RECREATE, AUTO),
                     gpu = Of(OracleConfig::NEURAL, CUDA);
  const auto failing_on_gpu = [](const OracleConfig& oracle) {
    if (oracle.device() == CUDA) throw Failure("out of memory");
    return 1.5e-3;
  };
  const OracleChoice choice = TryOracles({gpu, search}, 256, failing_on_gpu);
  EXPECT_EQ(choice.oracle.kind(), OracleConfig::RUIN_RECREATE);
  EXPECT_THAT(choice.why, HasSubstr("; the trial of neural on cuda failed: out of memory"));

  const OracleChoice last = TryOracles({gpu}, 256, failing_on_gpu);
  EXPECT_EQ(last.oracle.kind(), OracleConfig::NEURAL);
  EXPECT_EQ(last.why,
            "oracle auto: neural on cuda; the trial of neural on cuda failed: out of memory");
}

Config Deliveries() {
  Config config;
  LoadYamlText(
      "env: {name: dvrptw, dvrptw: {num_customers: 6, encoding: s4}}\n"
      "scale: {num_envs: 6}\nnetwork: {hidden: [8]}\n",
      "test", &config);
  return config;
}

const OracleConfig& OracleOf(const Config& config) {
  return config.env().GetExtension(dvrptw).oracle();
}

TEST(OracleChoice, RunDeviceIsTheOraclesUnlessItHasItsOwn) {
  Config config = Deliveries();
  PlaceTaskOracle(&config);
  EXPECT_EQ(OracleOf(config).device(), AUTO);
  config.mutable_run()->set_device(CPU);
  PlaceTaskOracle(&config);
  EXPECT_EQ(OracleOf(config).device(), CPU);
  config.mutable_run()->set_device(CUDA);
  PlaceTaskOracle(&config);
  EXPECT_EQ(OracleOf(config).device(), CPU);

  Config other;
  LoadYamlText("env: {name: cartpole}\nrun: {device: cpu}\n", "test", &other);
  PlaceTaskOracle(&other);  // has no oracle
  EXPECT_EQ(ChooseTaskOracle(SpecOf(other.env()), 2, &other), "");
}

TEST(OracleChoice, IsTimedWhereThereIsAChoice) {
  Config config = Deliveries();
  const EnvSpec spec = SpecOf(config.env());
  EXPECT_GT(TimePricing(config, spec, /*workers=*/2), 0);
  const std::string why = ChooseTaskOracle(spec, /*workers=*/2, &config);
  if (at::globalContext().hasCUDA()) {
    EXPECT_THAT(why, HasSubstr(" by neural on cuda"));
    EXPECT_NE(OracleOf(config).kind(), OracleConfig::AUTO);
  } else {
    EXPECT_EQ(why, "");
    EXPECT_EQ(OracleOf(config).kind(), OracleConfig::AUTO);
  }
}

}  // namespace
}  // namespace dray
