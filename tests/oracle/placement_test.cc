#include "src/oracle/placement.h"

#include <ATen/Context.h>
#include <gtest/gtest.h>

#include "src/oracle/remote.h"
#include "tests/oracle/random_problems.h"

namespace dray {
namespace {

OracleConfig ConfigFor(OraclePlacement::Kind placement) {
  OracleConfig config;
  config.set_kind(OracleConfig::INSERTION);
  config.set_placement(placement);
  return config;
}

class SilentPort : public OraclePort {
 public:
  Blob Call(std::string_view) override { return Blob(); }
};

TEST(Placement, InlineIsOneForEach) {
  const OracleConfig config = ConfigFor(OraclePlacement::INLINE);
  const MadeOracle a = MakeOracle(config, {.requests = 10});
  const MadeOracle b = MakeOracle(config, {.requests = 10});
  EXPECT_NE(a.oracle(), b.oracle());
  EXPECT_EQ(a.meeting, nullptr);
}

TEST(Placement, InlineIsOneForAllOfTheProcessOnAGpu) {
  OracleConfig config = ConfigFor(OraclePlacement::INLINE);
  config.set_kind(OracleConfig::NEURAL);
  const MadeOracle a = MakeOracle(config, {.requests = 10});
  const MadeOracle b = MakeOracle(config, {.requests = 10});
  const bool gpu = at::globalContext().hasCUDA();
  EXPECT_EQ(a.meeting != nullptr, gpu);
  EXPECT_EQ(a.oracle() == b.oracle(), gpu);
  config.set_device(CPU);
  EXPECT_EQ(MakeOracle(config, {.requests = 10}).meeting, nullptr);
}

TEST(Placement, ActorIsOneForAllOfTheProcessWhereThereIsNoPort) {
  const OracleConfig config = ConfigFor(OraclePlacement::ACTOR);
  const MadeOracle a = MakeOracle(config, {.requests = 10});
  const MadeOracle b = MakeOracle(config, {.requests = 10});
  EXPECT_EQ(a.oracle(), b.oracle());
  EXPECT_EQ(a.oracle()->name(), "insertion");
  EXPECT_EQ(a.oracle(), a.meeting);
  EXPECT_NE(MakeOracle(config, {.requests = 11}).oracle(), a.oracle());
}

TEST(Placement, CallsOfASharedOracleAreCountedOnce) {
  OracleConfig config = ConfigFor(OraclePlacement::ACTOR);
  config.set_max_batch(2);
  const MadeOracle a = MakeOracle(config, {.requests = 10});
  const MadeOracle b = MakeOracle(config, {.requests = 10});
  Rng rng(1, RngPurpose::kTest, 0);
  const Problem problem = RandomDeliveryProblem(6, rng);
  const std::vector<const Problem*> pointers(3, &problem);
  a.oracle()->Solve(pointers);
  b.oracle()->Solve(pointers);
  EXPECT_EQ(a.counted->TakeCalls().calls, 4);
  EXPECT_EQ(b.counted->TakeCalls().calls, 0);
}

TEST(Placement, ActorIsElsewhereWhereThereIsAPort) {
  SetOraclePort(std::make_shared<SilentPort>());
  EXPECT_EQ(MakeOracle(ConfigFor(OraclePlacement::ACTOR), {}).oracle()->name(), "remote");
  EXPECT_EQ(MakeOracle(ConfigFor(OraclePlacement::INLINE), {}).oracle()->name(), "insertion");
  SetOraclePort(nullptr);
}

}  // namespace
}  // namespace dray
