#include "src/oracle/remote.h"

#include <gtest/gtest.h>

#include "src/base/error.h"
#include "src/oracle/insertion.h"
#include "src/oracle/ruin_recreate.h"
#include "tests/oracle/random_problems.h"

namespace dray {
namespace {

// An oracle in this process behind bytes.
class MemoryPort : public OraclePort {
 public:
  explicit MemoryPort(size_t cities_bytes = 1 << 20) : cities(cities_bytes) {}

  Blob Call(std::string_view request) override {
    sizes.push_back(request.size());
    return Blob(AnswerRequest(request, cities, oracle));
  }

  KnownCities cities;
  RuinRecreateOracle oracle{{.rounds = 20, .seed = 5}};
  std::vector<size_t> sizes;
};

struct Batch {
  explicit Batch(int count) {
    for (int i = 0; i < count; ++i) {
      Rng rng(8, RngPurpose::kTest, i);
      problems.push_back(AnyRandomProblem(12, rng));
      plans.push_back(InsertionOracle().SolveOne(problems.back()).plan);
    }
    for (int i = 0; i < count; ++i) {
      pointers.push_back(&problems[i]);
      plan_pointers.push_back(&plans[i]);
    }
  }
  std::vector<Problem> problems;
  std::vector<Plan> plans;
  std::vector<const Problem*> pointers;
  std::vector<const Plan*> plan_pointers;
};

void ExpectSame(const std::vector<OracleAnswer>& a, const std::vector<OracleAnswer>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].plan.routes, b[i].plan.routes) << i;
    EXPECT_EQ(a[i].cost.total(), b[i].cost.total()) << i;
    EXPECT_EQ(a[i].cost.vehicles, b[i].cost.vehicles) << i;
    EXPECT_EQ(a[i].cost.unserved, b[i].cost.unserved) << i;
  }
}

TEST(RemoteOracle, AnswersAsTheOracleItself) {
  const Batch batch(20);
  RuinRecreateOracle here({.rounds = 20, .seed = 5});
  RemoteOracle there(std::make_shared<MemoryPort>());
  ExpectSame(there.Solve(batch.pointers), here.Solve(batch.pointers));
  ExpectSame(there.Improve(batch.pointers, batch.plan_pointers),
             here.Improve(batch.pointers, batch.plan_pointers));
  EXPECT_TRUE(there.Solve({}).empty());
}

TEST(RemoteOracle, SendsACityOnce) {
  const Batch batch(1);
  const auto port = std::make_shared<MemoryPort>();
  RemoteOracle oracle(port);
  oracle.Solve(batch.pointers);
  oracle.Solve(batch.pointers);
  ASSERT_EQ(port->sizes.size(), 3u);
  EXPECT_GT(port->sizes[1], port->sizes[0] + batch.problems[0].travel.times().size_bytes());
  EXPECT_EQ(port->sizes[2], port->sizes[0]);
  // Whoever takes over has seen nothing.
  port->cities.Add(TravelMatrix(600, std::vector<Ticks>(360'000)));
  oracle.Solve(batch.pointers);
  EXPECT_EQ(port->sizes.size(), 5u);
}

TEST(RemoteOracle, CitiesThatDoNotFitTogetherAreSentEachTime) {
  const Batch batch(10);
  const auto port = std::make_shared<MemoryPort>(/*cities_bytes=*/1);
  RemoteOracle oracle(port);
  RuinRecreateOracle here({.rounds = 20, .seed = 5});
  ExpectSame(oracle.Solve(batch.pointers), here.Solve(batch.pointers));
  ExpectSame(oracle.Solve(batch.pointers), here.Solve(batch.pointers));
}

// Never satisfied.
class ForgetfulPort : public OraclePort {
 public:
  Blob Call(std::string_view) override {
    ++calls;
    return Blob(EncodeReply({.answers = {}, .unknown = {1}}));
  }
  int calls = 0;
};

class BrokenPort : public OraclePort {
 public:
  Blob Call(std::string_view) override { throw Failure("oracle-0 is gone"); }
};

TEST(RemoteOracle, WhatGoesWrongThereIsAnErrorHere) {
  const Batch batch(3);
  const auto forgetful = std::make_shared<ForgetfulPort>();
  EXPECT_THROW(RemoteOracle(forgetful).Solve(batch.pointers), Error);
  EXPECT_EQ(forgetful->calls, 4);
  try {
    RemoteOracle(std::make_shared<BrokenPort>()).Solve(batch.pointers);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "oracle-0 is gone");
  }
}

TEST(OraclePort, OneForTheProcess) {
  EXPECT_EQ(GetOraclePort(), nullptr);
  const auto port = std::make_shared<BrokenPort>();
  SetOraclePort(port);
  EXPECT_EQ(GetOraclePort(), port);
  SetOraclePort(nullptr);
  EXPECT_EQ(GetOraclePort(), nullptr);
}

}  // namespace
}  // namespace dray
