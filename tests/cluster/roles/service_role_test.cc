#include "src/cluster/roles/service_role.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "src/api/make_role.h"
#include "src/base/error.h"
#include "src/cluster/roles/parse.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw_offer/dvrptw_offer.pb.h"
#include "src/oracle/insertion.h"
#include "src/oracle/oracle_service.h"
#include "src/oracle/remote.h"
#include "src/rollout/env_shard.h"
#include "tests/oracle/random_problems.h"
#include "tests/rollout/made_up_weights.h"

namespace dray {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A role of this process behind the port that an actor's process would have.
class RolePort : public OraclePort {
 public:
  explicit RolePort(Role& role) : role_(role) {}

  Blob Call(std::string_view request) override {
    Blob reply;
    role_.Call("solve", {&request, 1}, reply);
    return reply;
  }

 private:
  Role& role_;
};

HeartbeatReply BeatOf(Role& role) {
  Blob reply;
  role.Call("heartbeat", {}, reply);
  return Parsed<HeartbeatReply>(reply.view());
}

OracleConfig* OracleOf(Config& config) {
  EnvConfig* env = config.mutable_env();
  return env->name() == "dvrptw"
             ? env->MutableExtension(DvrptwConfig::dvrptw)->mutable_oracle()
             : env->MutableExtension(DvrptwOfferConfig::dvrptw_offer)->mutable_oracle();
}

Config DeliveryConfig(const std::string& name, OracleConfig::Kind kind) {
  Config config;
  config.mutable_network()->add_hidden(8);
  config.mutable_env()->set_name(name);
  if (name == "dvrptw") {
    DvrptwConfig* task = config.mutable_env()->MutableExtension(DvrptwConfig::dvrptw);
    task->set_num_customers(8);
    task->set_num_places(20);
    task->set_reward(DvrptwConfig::AGAINST_NO_SHIFTS);
  } else {
    config.mutable_env()->MutableExtension(DvrptwOfferConfig::dvrptw_offer)->set_num_customers(8);
  }
  OracleConfig* oracle = OracleOf(config);
  oracle->set_kind(kind);
  if (kind == OracleConfig::NEURAL) oracle->set_starts(2);
  // Less than the shards bring together.
  oracle->set_max_batch(5);
  return config;
}

std::string RoleSettingsOf(const Config& config, int callers) {
  RoleSettings settings;
  *settings.mutable_config() = config;
  settings.set_oracle_callers(callers);
  return settings.SerializeAsString();
}

struct Collected {
  std::vector<float> observations, rewards;
  std::vector<double> returns;
  friend bool operator==(const Collected&, const Collected&) = default;
};

// Two rollouts of two shards, each on a thread of its own.
std::vector<Collected> CollectByTwoShards(const Config& config) {
  const std::string weights = MadeUpWeights(config, 4).ToBytes();
  std::vector<Collected> collected(2);
  std::vector<std::thread> threads;
  for (int shard = 0; shard < 2; ++shard) {
    threads.emplace_back([&, shard] {
      EnvShard envs(config, {.shard = shard, .first_env = 3 * shard, .envs = 3}, 8);
      for (int rollout = 0; rollout < 2; ++rollout) {
        const Rollout made = envs.Collect(weights);
        const BatchReader batch(made.batch->view());
        Collected& into = collected[static_cast<size_t>(shard)];
        const auto& columns = batch.columns();
        into.observations.insert(into.observations.end(), columns.observations.begin(),
                                 columns.observations.end());
        into.rewards.insert(into.rewards.end(), columns.rewards.begin(), columns.rewards.end());
        for (const Episode& episode : made.summary.episodes)
          into.returns.push_back(episode.total_reward);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return collected;
}

class ServiceRoleTest : public testing::TestWithParam<std::pair<const char*, OracleConfig::Kind>> {
};

TEST_P(ServiceRoleTest, ShardsSeeTheSameAsWithAnOracleOfTheirOwn) {
  Config config = DeliveryConfig(GetParam().first, GetParam().second);
  const std::vector<Collected> expected = CollectByTwoShards(config);
  ASSERT_EQ(expected[0].returns.size(), 6u);
  EXPECT_NE(expected[0], expected[1]);

  const std::unique_ptr<Role> role = MakeRole("oracle", RoleSettingsOf(config, 2));
  OracleOf(config)->set_placement(OraclePlacement::ACTOR);
  SetOraclePort(std::make_shared<RolePort>(*role));
  const std::vector<Collected> found = CollectByTwoShards(config);
  SetOraclePort(nullptr);
  EXPECT_EQ(found, expected);

  const HeartbeatReply beat = BeatOf(*role);
  // One call per step and rollout if both shards ask together, two if not, and more where a city
  // was not known.
  EXPECT_GE(beat.calls(), 2 * 8);
  EXPECT_GE(beat.problems(), 2 * 2 * 8);
  EXPECT_GE(beat.problems(), beat.calls());
  EXPECT_EQ(beat.limit(), 5);
  EXPECT_EQ(beat.phase(), "resting");
}

INSTANTIATE_TEST_SUITE_P(Tasks, ServiceRoleTest,
                         testing::Values(std::pair{"dvrptw", OracleConfig::RUIN_RECREATE},
                                         std::pair{"dvrptw", OracleConfig::NEURAL},
                                         std::pair{"dvrptw_offer", OracleConfig::INSERTION}),
                         [](const auto& info) { return Cat("Case", info.index); });

// Runs out of memory above a size.
class SmallMemory : public InsertionOracle {
 public:
  explicit SmallMemory(size_t fits) : fits_(fits) {}
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override {
    if (problems.size() > fits_) throw OutOfMemory();
    return InsertionOracle::Solve(problems);
  }

 private:
  size_t fits_;
};

OracleConfig PatientConfig() {
  OracleConfig config;
  config.set_max_batch(16);
  config.set_max_wait_us(2'000'000'000);  // half an hour: no test waits it out
  return config;
}

std::unique_ptr<ServiceHost> PatientHost(std::shared_ptr<Oracle> oracle) {
  return std::make_unique<OracleHost>(PatientConfig(), /*callers=*/1, std::move(oracle));
}

std::vector<Problem> SomeProblems(int count) {
  std::vector<Problem> problems;
  for (int i = 0; i < count; ++i) {
    Rng rng(60, RngPurpose::kTest, i);
    problems.push_back(RandomDeliveryProblem(4, rng));
  }
  return problems;
}

std::vector<const Problem*> PointersTo(const std::vector<Problem>& problems) {
  std::vector<const Problem*> pointers;
  for (const Problem& problem : problems) pointers.push_back(&problem);
  return pointers;
}

TEST(ServiceRole, ThreadsAreMergedAndBatchesCounted) {
  OracleConfig config = PatientConfig();
  config.set_max_batch(100);
  ServiceRole role(
      std::make_unique<OracleHost>(config, /*callers=*/2, std::make_shared<InsertionOracle>()));
  const std::vector<Problem> problems = SomeProblems(6);
  const std::vector<const Problem*> pointers = PointersTo(problems);
  std::vector<int64_t> costs(2);
  const auto ask = [&](size_t i) {
    RemoteOracle oracle(std::make_shared<RolePort>(role));
    costs[i] = oracle.Solve(std::span(pointers).subspan(i * 3, 3))[2].cost.total();
  };
  std::thread first(ask, 0), second(ask, 1);
  first.join();
  second.join();
  InsertionOracle alone;
  EXPECT_EQ(costs[0], alone.SolveOne(problems[2]).cost.total());
  EXPECT_EQ(costs[1], alone.SolveOne(problems[5]).cost.total());
  const HeartbeatReply beat = BeatOf(role);
  EXPECT_THAT(beat.batch_size(), ElementsAre(6));
  EXPECT_THAT(beat.batch_count(), ElementsAre(1));
  EXPECT_EQ(beat.problems(), 6);
  EXPECT_EQ(beat.calls(), 4);  // each first without its cities
}

TEST(ServiceRole, ALimitIsLearnedAndReported) {
  ServiceRole role(PatientHost(std::make_shared<SmallMemory>(5)));
  RemoteOracle oracle(std::make_shared<RolePort>(role));
  const std::vector<Problem> problems = SomeProblems(20);
  EXPECT_EQ(BeatOf(role).limit(), 16);
  EXPECT_EQ(oracle.Solve(PointersTo(problems)).size(), 20u);
  const HeartbeatReply beat = BeatOf(role);
  EXPECT_EQ(beat.splits(), 2);
  EXPECT_EQ(beat.limit(), 4);
  EXPECT_THAT(beat.batch_size(), ElementsAre(4));
  EXPECT_THAT(beat.batch_count(), ElementsAre(5));
}

TEST(ServiceRole, AProblemThatDoesNotFitIsAnErrorOfOneLine) {
  ServiceRole role(PatientHost(std::make_shared<SmallMemory>(0)));
  RemoteOracle oracle(std::make_shared<RolePort>(role));
  const std::vector<Problem> problems = SomeProblems(2);
  try {
    oracle.Solve(PointersTo(problems));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "the insertion oracle ran out of memory on one problem of 4 requests: free memory on "
        "its device, or choose another kind of oracle");
  }
  EXPECT_EQ(BeatOf(role).phase(), "resting");
}

TEST(ServiceRole, WrongCallsAreErrors) {
  Blob reply;
  ServiceRole role(PatientHost(std::make_shared<InsertionOracle>()));
  const std::string_view nonsense = "nonsense";
  EXPECT_THROW(role.Call("solve", {&nonsense, 1}, reply), Error);
  EXPECT_THROW(role.Call("solve", {}, reply), Error);
  Config config;
  config.mutable_env()->set_name("cartpole");
  try {
    MakeRole("oracle", RoleSettingsOf(config, 1));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the task cartpole has no oracle to host");
  }
}

}  // namespace
}  // namespace dray
