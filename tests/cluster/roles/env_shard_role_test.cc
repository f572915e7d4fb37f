#include "src/cluster/roles/env_shard_role.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/api/make_role.h"
#include "src/base/error.h"
#include "src/cluster/packed.h"

namespace dray {
namespace {

RoleSettings TwoShards(uint64_t seed) {
  RoleSettings settings;
  settings.mutable_config()->mutable_env()->set_name("cartpole");
  settings.mutable_config()->mutable_network()->add_hidden(4);
  settings.mutable_config()->mutable_train()->set_seed(seed);
  settings.set_envs(5);
  settings.set_rollout_steps(4);
  settings.set_shards_per_actor(2);
  settings.set_shards(2);
  return settings;
}

std::string Saved(Role& role) {
  Blob reply;
  role.Call("save", {}, reply);
  return std::string(reply.view());
}

void Load(Role& role, std::string_view state) {
  Blob reply;
  role.Call("load", {&state, 1}, reply);
}

TEST(EnvShardRole, StatesOfItsShardsAreLoadedAllOrNone) {
  const auto role = MakeRole("env_shard", TwoShards(1).SerializeAsString());
  const auto other = MakeRole("env_shard", TwoShards(2).SerializeAsString());
  const std::string before = Saved(*role), theirs = Saved(*other);
  ASSERT_NE(before, theirs);
  const std::vector<std::string_view> states = Unpacked(theirs, "test");
  ASSERT_EQ(states.size(), 2);

  const std::string first(states[0]), second(states[1]);
  const std::vector<std::string> damaged = {first, second.substr(0, second.size() / 2)};
  EXPECT_THROW(Load(*role, Packed(damaged)), Error);
  EXPECT_EQ(Saved(*role), before);
  EXPECT_THROW(Load(*role, Packed({&first, 1})), Error);
  EXPECT_THROW(Load(*role, first), Error);
  EXPECT_EQ(Saved(*role), before);

  Load(*role, theirs);
  EXPECT_EQ(Saved(*role), theirs);
}

}  // namespace
}  // namespace dray
