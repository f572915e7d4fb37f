#include "src/oracle/placement.h"

#include <gtest/gtest.h>

#include "src/oracle/remote.h"

namespace dray {
namespace {

OracleConfig ConfigFor(OracleConfig::Placement placement) {
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
  const OracleConfig config = ConfigFor(OracleConfig::INLINE);
  const MadeOracle a = MakeOracle(config, {.requests = 10});
  const MadeOracle b = MakeOracle(config, {.requests = 10});
  EXPECT_NE(a.oracle, b.oracle);
  EXPECT_FALSE(a.take_splits);
}

TEST(Placement, ActorIsOneForAllOfTheProcessWhereThereIsNoPort) {
  const OracleConfig config = ConfigFor(OracleConfig::ACTOR);
  const MadeOracle a = MakeOracle(config, {.requests = 10});
  const MadeOracle b = MakeOracle(config, {.requests = 10});
  EXPECT_EQ(a.oracle, b.oracle);
  EXPECT_EQ(a.oracle->name(), "insertion");
  EXPECT_TRUE(a.take_splits);
  EXPECT_NE(MakeOracle(config, {.requests = 11}).oracle, a.oracle);
}

TEST(Placement, ActorIsElsewhereWhereThereIsAPort) {
  SetOraclePort(std::make_shared<SilentPort>());
  EXPECT_EQ(MakeOracle(ConfigFor(OracleConfig::ACTOR), {}).oracle->name(), "remote");
  EXPECT_EQ(MakeOracle(ConfigFor(OracleConfig::INLINE), {}).oracle->name(), "insertion");
  SetOraclePort(nullptr);
}

}  // namespace
}  // namespace dray
