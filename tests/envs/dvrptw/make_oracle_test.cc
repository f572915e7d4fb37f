#include "src/envs/dvrptw/make_oracle.h"

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

TEST(MakeOracle, InlineIsOneForEach) {
  const OracleConfig config = ConfigFor(OracleConfig::INLINE);
  const MadeOracle a = MakeOracle(config, 10), b = MakeOracle(config, 10);
  EXPECT_NE(a.oracle, b.oracle);
  EXPECT_FALSE(a.take_splits);
}

TEST(MakeOracle, ActorIsOneForAllOfTheProcessWhereThereIsNoPort) {
  const OracleConfig config = ConfigFor(OracleConfig::ACTOR);
  const MadeOracle a = MakeOracle(config, 10), b = MakeOracle(config, 10);
  EXPECT_EQ(a.oracle, b.oracle);
  EXPECT_EQ(a.oracle->name(), "insertion");
  EXPECT_TRUE(a.take_splits);
  EXPECT_NE(MakeOracle(config, 11).oracle, a.oracle);
}

TEST(MakeOracle, ActorIsElsewhereWhereThereIsAPort) {
  SetOraclePort(std::make_shared<SilentPort>());
  EXPECT_EQ(MakeOracle(ConfigFor(OracleConfig::ACTOR), 10).oracle->name(), "remote");
  EXPECT_EQ(MakeOracle(ConfigFor(OracleConfig::INLINE), 10).oracle->name(), "insertion");
  // Whoever hosts the oracle makes it itself.
  EXPECT_EQ(MakeInlineOracle(ConfigFor(OracleConfig::ACTOR), 10).oracle->name(), "insertion");
  SetOraclePort(nullptr);
}

}  // namespace
}  // namespace dray
