#include "src/oracle/registry.h"

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
  config.set_placement(OracleConfig::ACTOR);
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
