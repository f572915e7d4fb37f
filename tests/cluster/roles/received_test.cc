#include "src/cluster/roles/received.h"

#include <gtest/gtest.h>

#include <cmath>

#include "src/base/error.h"

namespace dray {
namespace {

RoleSettings Good() {
  RoleSettings settings;
  settings.mutable_config()->mutable_env()->set_name("cartpole");
  settings.set_shard(3);
  settings.set_first_env(96);
  settings.set_envs(32);
  settings.set_rollout_steps(128);
  settings.set_name("shard-3");
  return settings;
}

template <typename Change>
void ExpectError(const Change& change) {
  RoleSettings settings = Good();
  change(settings);
  EXPECT_THROW(ReceivedSettings(settings.SerializeAsString()), Error) << settings.DebugString();
}

TEST(Received, SettingsComeAsTheyWereSent) {
  EXPECT_EQ(ReceivedSettings(Good().SerializeAsString()).SerializeAsString(),
            Good().SerializeAsString());
}

TEST(Received, NumbersThatNoShardCanHaveAreAnError) {
  for (const int32_t number : {-1, INT32_MIN, INT32_MAX}) {
    ExpectError([=](RoleSettings& s) { s.set_shard(number); });
    ExpectError([=](RoleSettings& s) { s.set_first_env(number); });
    ExpectError([=](RoleSettings& s) { s.set_envs(number); });
    ExpectError([=](RoleSettings& s) { s.set_rollout_steps(number); });
    ExpectError([=](RoleSettings& s) { s.set_oracle_callers(number); });
  }
  ExpectError([](RoleSettings& s) { s.set_replacement(-1); });
  ExpectError([](RoleSettings& s) { s.set_envs(65536 - 95); });
}

TEST(Received, ASettingOutOfItsRangeIsAnError) {
  ExpectError([](RoleSettings& s) { s.mutable_config()->mutable_ppo()->set_minibatch_size(0); });
  ExpectError([](RoleSettings& s) { s.mutable_config()->mutable_network()->add_hidden(-1); });
  ExpectError([](RoleSettings& s) { s.mutable_config()->mutable_ppo()->set_gamma(NAN); });
}

TEST(Received, ANameThatLeavesItsFolderIsAnError) {
  ExpectError([](RoleSettings& s) { s.set_name("../elsewhere"); });
  ExpectError([](RoleSettings& s) { s.set_name(std::string("a\0b", 3)); });
  ExpectError([](RoleSettings& s) { s.set_name(std::string(1000, 'a')); });
}

TEST(Received, AShareThatIsNoneIsAnError) {
  for (const double share : {-0.1, 1.1, HUGE_VAL, std::nan("")}) {
    CallHeader progress, remaining;
    progress.set_progress(share);
    remaining.set_remaining(share);
    EXPECT_THROW(ReceivedHeader(progress.SerializeAsString()), Error);
    EXPECT_THROW(ReceivedHeader(remaining.SerializeAsString()), Error);
  }
  EXPECT_THROW(ReceivedHeader("no message"), Error);
  EXPECT_EQ(ReceivedHeader("").call(), 0);
}

}  // namespace
}  // namespace dray
