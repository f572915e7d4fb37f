// Every file in configs/ loads and is valid.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "src/config/config.pb.h"
#include "src/config/dump.h"
#include "src/config/validate.h"
#include "src/config/yaml_loader.h"
#include "src/envs/cartpole/cartpole.pb.h"

namespace dray {
namespace {

Config Load(const std::string& name) {
  Config config;
  LoadYamlFile("configs/" + name + ".yaml", &config);
  return config;
}

TEST(Configs, AllLoadAndAreValid) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator("configs")) {
    if (entry.path().extension() != ".yaml") continue;
    Config config;
    ASSERT_NO_THROW(LoadYamlFile(entry.path().string(), &config)) << entry.path();
    EXPECT_NO_THROW(Validate(config)) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 6);
}

TEST(Configs, OfCartPolesSettingsOnlyTheTaskDiffersInTheOnesThatIncludeIt) {
  for (const char* name : {"acrobot", "mountaincar"}) {
    for (const ChangedKey& key : ChangedKeys(Load("cartpole"), Load(name))) {
      EXPECT_THAT(key.path, testing::StartsWith("env.")) << name;
    }
  }
  EXPECT_EQ(Load("cartpole_cut").env().GetExtension(cartpole).max_steps(), 50);
}

}  // namespace
}  // namespace dray
