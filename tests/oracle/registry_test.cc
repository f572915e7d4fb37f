#include "src/oracle/registry.h"

#include <ATen/Context.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"

namespace dray {
namespace {

OracleConfig Of(OracleConfig::Kind kind) {
  OracleConfig config;
  config.set_kind(kind);
  return config;
}

TEST(OracleRegistry, EveryOracleIsMadeByItsName) {
  EXPECT_THAT(OracleNames(), testing::IsSupersetOf({"insertion", "neural", "ruin_recreate"}));
  for (const std::string& name : OracleNames()) {
    EXPECT_EQ(ChooseOracle(Of(OracleKindNamed(name)), {}).oracle->name(), name);
  }
  EXPECT_THROW(OracleKindNamed("auto"), Error);
}

TEST(OracleRegistry, WhoeverHostsAnOracleGetsItWhateverItsPlacement) {
  OracleConfig config = Of(OracleConfig::INSERTION);
  config.set_placement(OraclePlacement::ACTOR);
  EXPECT_EQ(ChooseOracle(config, {}).oracle->name(), "insertion");
}

TEST(OracleRegistry, TheNeuralOneTellsOfProblemsLargerThanItWasTrainedFor) {
  const OracleConfig config = Of(OracleConfig::NEURAL);
  EXPECT_EQ(ChooseOracle(config, {.requests = 30}).note, "");
  EXPECT_EQ(ChooseOracle(config, {.requests = 31}).note,
            "the neural oracle was trained on up to 30 requests, not 31: its plans will be "
            "feasible but dear");
  EXPECT_EQ(ChooseOracle(Of(OracleConfig::RUIN_RECREATE), {.requests = 31}).note, "");
}

TEST(OracleRegistry, AutoIsOneOfThem) {
  const std::string chosen = ChooseOracle(Of(OracleConfig::AUTO), {.requests = 10}).oracle->name();
  EXPECT_THAT(chosen, testing::AnyOf("ruin_recreate", "neural"));
  EXPECT_EQ(ChooseOracle(Of(OracleConfig::AUTO), {.requests = 1000}).oracle->name(),
            "ruin_recreate");
}

TEST(OracleRegistry, CandidatesAreWhatAutoMayMean) {
  const bool gpu = at::globalContext().hasCUDA();
  const auto names = [](const OracleConfig& config, int requests) {
    std::vector<std::string> found;
    for (const OracleConfig& candidate : OracleCandidates(config, {.requests = requests})) {
      found.push_back(ChooseOracle(candidate, {.requests = requests}).oracle->name());
    }
    return found;
  };
  const auto alone = testing::ElementsAre("ruin_recreate");
  EXPECT_THAT(names(Of(OracleConfig::AUTO), 1000), alone);
  OracleConfig on_cpu = Of(OracleConfig::AUTO);
  on_cpu.set_device(CPU);
  EXPECT_THAT(names(on_cpu, 10), alone);
  EXPECT_EQ(names(Of(OracleConfig::AUTO), 10).size(), gpu ? 2 : 1);
  EXPECT_EQ(names(Of(OracleConfig::NEURAL), 10).size(), gpu ? 2 : 1);
  EXPECT_THAT(names(Of(OracleConfig::INSERTION), 10), testing::ElementsAre("insertion"));
}

std::string ErrorOf(const OracleConfig& config, const OracleContext& context) {
  try {
    ChooseOracle(config, context);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(OracleRegistry, ErrorsNameTheSettingAsTheCallerKnowsIt) {
  OracleConfig config = Of(OracleConfig::NEURAL);
  config.set_weights("/nowhere.bin");
  const std::string plain = ErrorOf(config, {});
  EXPECT_THAT(plain, testing::HasSubstr("/nowhere.bin"));
  EXPECT_EQ(ErrorOf(config, {.settings = "env.task.oracle."}), "env.task.oracle.weights: " + plain);
}

}  // namespace
}  // namespace dray
