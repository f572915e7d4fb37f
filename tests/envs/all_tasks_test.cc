#include "src/envs/all_tasks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "src/base/error.h"
#include "src/env/registry.h"
#include "src/envs/cartpole/cartpole.pb.h"

namespace dray {
namespace {

std::string ErrorFor(const std::string& name) {
  EnvConfig config;
  config.set_name(name);
  try {
    MakeBatchEnv(config, {}, 1);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), Error::Kind::kUsage);
    return e.what();
  }
  return "no error";
}

TEST(AllTasks, AreRegisteredOnce) {
  RegisterAllTasks();
  const size_t count = AllTasks().size();
  RegisterAllTasks();
  EXPECT_EQ(AllTasks().size(), count);
}

TEST(AllTasks, NamesAreSortedAndUnique) {
  const std::vector<std::string> names = EnvNames();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  EXPECT_TRUE(std::count(names.begin(), names.end(), "cartpole"));
}

TEST(AllTasks, AnUnknownNameIsAnErrorWithTheNearestAndAllKnownOnes) {
  const std::string error = ErrorFor("cartpol");
  EXPECT_EQ(error.rfind("unknown environment \"cartpol\": did you mean \"cartpole\"? Known: ", 0),
            0u)
      << error;
  for (const std::string& name : EnvNames()) EXPECT_NE(error.find(name), std::string::npos);
}

TEST(AllTasks, ANameNearToNoneGetsNoSuggestion) {
  EXPECT_EQ(ErrorFor("zzz").rfind("unknown environment \"zzz\": Known: ", 0), 0u);
}

TEST(AllTasks, TheConfigsMessageReachesTheEnvironment) {
  EnvConfig config;
  config.set_name("cartpole");
  EXPECT_EQ(SpecOf(config).max_episode_steps, 500);
  config.MutableExtension(cartpole)->set_max_steps(20);
  EXPECT_EQ(SpecOf(config).max_episode_steps, 20);
}

// The compiler reports a purpose that is missing here.
bool IsEnginePurpose(RngPurpose purpose) {
  switch (purpose) {
    case RngPurpose::kEnvironment:
    case RngPurpose::kAction:
    case RngPurpose::kInit:
    case RngPurpose::kMinibatch:
    case RngPurpose::kEvaluation:
    case RngPurpose::kTest:
    case RngPurpose::kOracle:
    case RngPurpose::kEpisode:
    case RngPurpose::kOrders:
    case RngPurpose::kWorkflows:
    case RngPurpose::kNoEffect:
      return true;
  }
  return false;
}

TEST(AllTasks, RandomStreamsOfTasksDifferFromEachOtherAndFromTheEngines) {
  std::set<RngPurpose> seen;
  for (const Task& task : AllTasks()) {
    for (const RngPurpose purpose : task.random_streams) {
      EXPECT_FALSE(IsEnginePurpose(purpose)) << task.name << ": " << static_cast<int>(purpose);
      EXPECT_TRUE(seen.insert(purpose).second) << task.name << ": " << static_cast<int>(purpose);
    }
  }
  EXPECT_FALSE(seen.empty());
}

}  // namespace
}  // namespace dray
