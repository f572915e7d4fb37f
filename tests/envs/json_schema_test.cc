#include "src/config/json_schema.h"

#include <gtest/gtest.h>

#include "src/base/file.h"
#include "src/base/json.h"
#include "src/config/config.pb.h"

namespace dray {
namespace {

Json Properties() { return ParsedJson(JsonSchema(*Config::descriptor())).at("properties"); }

TEST(JsonSchema, IsCurrent) {
  EXPECT_TRUE(ReadFile("configs/schema.json") == JsonSchema(*Config::descriptor()))
      << "configs/schema.json is not what the messages say. Run scripts/generate.sh.";
}

TEST(JsonSchema, HasTypeChoicesDefaultRangeAndDocOfAKey) {
  const Json rate = Properties()["ppo"]["properties"]["learning_rate"];
  EXPECT_EQ(rate["type"], "number");
  EXPECT_EQ(rate["exclusiveMinimum"], 0);
  EXPECT_EQ(rate["maximum"], 1);
  EXPECT_EQ(rate["default"], 0.00025);
  EXPECT_EQ(rate["description"], "Adam's step size");
  const Json device = Properties()["run"]["properties"]["device"];
  EXPECT_EQ(device["enum"], Json::array({"auto", "cpu", "cuda", "mps"}));
  EXPECT_EQ(device["default"], "auto");
}

TEST(JsonSchema, HasTheSettingsOfEveryTaskAndNothingElse) {
  const Json env = Properties()["env"];
  EXPECT_TRUE(env["properties"].contains("cartpole"));
  EXPECT_TRUE(env["properties"]["dvrptw"]["properties"].contains("oracle"));
  EXPECT_EQ(env["additionalProperties"], false);
  EXPECT_TRUE(Properties().contains("include"));
}

}  // namespace
}  // namespace dray
