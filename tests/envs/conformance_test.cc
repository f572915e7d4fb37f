// What every environment of the registry must do. A new one is tested by being registered.

#include "src/envs/conformance.h"

#include <gtest/gtest.h>

#include <cctype>
#include <tuple>

#include "src/base/error.h"
#include "src/env/registry.h"
#include "tests/envs/batch_player.h"

namespace dray {
namespace {

constexpr uint64_t kSeed = 11;
constexpr int kCount = 3;

class Conformance : public testing::TestWithParam<std::tuple<std::string, EnvProperty>> {};

TEST_P(Conformance, Holds) {
  const auto& [name, property] = GetParam();
  try {
    property.check(ConfigForTests(name));
  } catch (const Error& error) {
    FAIL() << error.what();
  }
}

// "the spec is sensible" → TheSpecIsSensible
std::string InCamelCase(std::string_view sentence) {
  std::string name;
  bool begins = true;
  for (const char letter : sentence) {
    if (letter != ' ') name += begins ? static_cast<char>(std::toupper(letter)) : letter;
    begins = letter == ' ';
  }
  return name;
}

std::string NameOf(const testing::TestParamInfo<Conformance::ParamType>& info) {
  return std::get<0>(info.param) + "_" + InCamelCase(std::get<1>(info.param).name);
}

INSTANTIATE_TEST_SUITE_P(Registry, Conformance,
                         testing::Combine(testing::ValuesIn(EnvNames()),
                                          testing::ValuesIn(EnvProperties().begin(),
                                                            EnvProperties().end())),
                         NameOf);

class EveryEpisode : public testing::TestWithParam<std::string> {
 protected:
  // Whether an episode always begins with the same observation.
  bool BeginsAlike() { return GetParam() == "cage2_red"; }
};

TEST_P(EveryEpisode, BeginsInItsOwnWay) {
  BatchPlayer player = MakePlayer(GetParam(), kSeed, 0, kCount);
  BatchPlayer other = MakePlayer(GetParam(), kSeed + 1, 0, kCount);
  player.Reset();
  other.Reset();
  EXPECT_EQ(player.observations == other.observations, BeginsAlike());
  const std::vector<float> first = player.observations;
  player.Reset();
  EXPECT_EQ(player.observations == first, BeginsAlike());
}

TEST_P(EveryEpisode, IsOfAnEnvironmentWithTheTasksName) {
  EXPECT_EQ(SpecOf(ConfigForTests(GetParam())).name, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryEpisode, testing::ValuesIn(EnvNames()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace dray
