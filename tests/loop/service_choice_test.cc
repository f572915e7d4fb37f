#include "src/loop/service_choice.h"

#include <ATen/Context.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"
#include "src/config/yaml_loader.h"
#include "src/env/registry.h"
#include "src/envs/dvrptw/dvrptw.pb.h"

namespace dray {
namespace {

using testing::HasSubstr;

Service Oracle() {
  Service service;
  service.name = "oracle";
  service.activity = "pricing";
  return service;
}
const Service kOracle = Oracle();

// The name is all that tells these apart.
ServiceCandidate Named(const std::string& name) {
  ServiceCandidate candidate{name, {}};
  candidate.settings.set_name(name);
  return candidate;
}

// Measured on real machines: nothing may be chosen that is more than 10 % slower than the best.
TEST(ServiceChoice, IsNeverMuchSlowerThanTheBest) {
  const ServiceCandidate search = Named("ruin_recreate"), gpu = Named("neural on cuda"),
                         cpu = Named("neural on cpu");
  const std::vector<std::vector<CandidateTime>> recorded = {
      {{search, 1.5e-3}, {gpu, 3.0e-3}},  // 256 environments on 16 cores and an H200
      {{search, 8.2e-3}, {gpu, 1.4e-3}},  // 2 cores and a GPU
      {{cpu, 11e-3}, {gpu, 3.0e-3}},
      {{cpu, 0.6e-3}, {gpu, 1.1e-3}},
      {{search, 1.05e-3}, {gpu, 1.0e-3}},
      {{search, 1.0e-3}, {gpu, 1.0e-3}},
      {{search, 0}, {gpu, 1}},
      {{search, 1}}};
  for (const std::vector<CandidateTime>& times : recorded) {
    const ServiceChoice choice = FastestCandidate(kOracle, times, 256);
    double best_s = times[0].step_s, chosen_s = -1;
    for (const CandidateTime& time : times) {
      best_s = std::min(best_s, time.step_s);
      if (time.candidate.name == choice.candidate.name) chosen_s = time.step_s;
    }
    EXPECT_GE(chosen_s, 0);
    EXPECT_LE(chosen_s, 1.1 * best_s);
  }
  // About as fast: the one that is listed first.
  EXPECT_EQ(FastestCandidate(kOracle, recorded[4], 256).candidate.name, "ruin_recreate");
  EXPECT_EQ(FastestCandidate(kOracle, recorded[0], 256).why,
            "oracle auto: ruin_recreate; pricing a step of 256 environments takes 1.5 ms by "
            "ruin_recreate, 3 ms by neural on cuda");
}

TEST(ServiceChoice, ACandidateThatFailsIsLeftOutAndNamed) {
  const ServiceCandidate search = Named("ruin_recreate"), gpu = Named("neural on cuda");
  const auto failing_on_gpu = [](const EnvConfig& settings) {
    if (settings.name() == "neural on cuda") throw Failure("out of memory");
    return 1.5e-3;
  };
  const ServiceChoice choice = TryCandidates(kOracle, {gpu, search}, 256, failing_on_gpu);
  EXPECT_EQ(choice.candidate.settings.name(), "ruin_recreate");
  EXPECT_THAT(choice.why, HasSubstr("; the trial of neural on cuda failed: out of memory"));

  const ServiceChoice last = TryCandidates(kOracle, {gpu}, 256, failing_on_gpu);
  EXPECT_EQ(last.candidate.settings.name(), "neural on cuda");
  EXPECT_EQ(last.why,
            "oracle auto: neural on cuda; the trial of neural on cuda failed: out of memory");
}

Config Deliveries() {
  Config config;
  LoadYamlText(
      "env: {name: dvrptw, dvrptw: {num_customers: 6, encoding: outlook}}\n"
      "scale: {num_envs: 6}\nnetwork: {hidden: [8]}\n",
      "test", &config);
  return config;
}

const OracleConfig& OracleOf(const Config& config) {
  return config.env().GetExtension(DvrptwConfig::dvrptw).oracle();
}

TEST(ServiceChoice, RunDeviceIsTheServicesUnlessItHasItsOwn) {
  Config config = Deliveries();
  PlaceService(&config);
  EXPECT_EQ(OracleOf(config).device(), AUTO);
  config.mutable_run()->set_device(CPU);
  PlaceService(&config);
  EXPECT_EQ(OracleOf(config).device(), CPU);
  config.mutable_run()->set_device(CUDA);
  PlaceService(&config);
  EXPECT_EQ(OracleOf(config).device(), CPU);

  Config other;
  LoadYamlText("env: {name: cartpole}\nrun: {device: cpu}\n", "test", &other);
  PlaceService(&other);  // has no service
  EXPECT_EQ(ChooseService(SpecOf(other.env()), 2, &other), "");
}

TEST(ServiceChoice, IsTimedWhereThereIsAChoice) {
  Config config = Deliveries();
  const EnvSpec spec = SpecOf(config.env());
  EXPECT_GT(TimeService(config, spec, /*workers=*/2), 0);
  const std::string why = ChooseService(spec, /*workers=*/2, &config);
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
