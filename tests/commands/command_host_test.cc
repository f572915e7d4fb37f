#include "src/commands/command_host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dray {
namespace {

using testing::HasSubstr;

CommandHost HostThatFinds(const std::string& reason) {
  CommandHost host;
  host.find_cluster = [reason] { return reason; };
  return host;
}

TEST(ChooseRunner, TakesAClusterThatIsThere) {
  Config config;
  EXPECT_EQ(ChooseRunner(HostThatFinds("a cluster runs at 127.0.0.1:6379"), &config),
            "runner: ray, because a cluster runs at 127.0.0.1:6379; --runner local trains in this "
            "process");
  EXPECT_EQ(config.run().runner(), RunConfig::RAY);
}

TEST(ChooseRunner, StaysInThisProcessWithoutOne) {
  for (const CommandHost& host : {HostThatFinds(""), CommandHost()}) {
    Config config;
    EXPECT_THAT(ChooseRunner(host, &config), HasSubstr("--runner ray starts one"));
    EXPECT_EQ(config.run().runner(), RunConfig::LOCAL);
  }
}

TEST(ChooseRunner, ObeysTheConfig) {
  for (const RunConfig::Runner runner : {RunConfig::LOCAL, RunConfig::RAY}) {
    Config config;
    config.mutable_run()->set_runner(runner);
    EXPECT_EQ(ChooseRunner(HostThatFinds("a cluster runs at 127.0.0.1:6379"), &config), "");
    EXPECT_EQ(config.run().runner(), runner);
  }
}

}  // namespace
}  // namespace dray
