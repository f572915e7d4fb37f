#include "src/config/user_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "src/base/file.h"
#include "tests/config/error_text.h"

namespace dray {
namespace {

using testing::HasSubstr;

// A workspace with configs/cart.yaml and configs/pole.yaml, and a folder of the user's with
// own.yaml.
class UserPathTest : public testing::Test {
 protected:
  UserPathTest() {
    std::filesystem::remove_all(folder_);
    MakeWritableFolder(workspace_ + "/configs");
    MakeWritableFolder(user_);
    WriteFileAtomically(workspace_ + "/configs/cart.yaml", "");
    WriteFileAtomically(workspace_ + "/configs/pole.yaml", "");
    WriteFileAtomically(user_ + "/own.yaml", "");
    setenv("BUILD_WORKING_DIRECTORY", user_.c_str(), 1);
    setenv("BUILD_WORKSPACE_DIRECTORY", workspace_.c_str(), 1);
  }
  ~UserPathTest() override {
    unsetenv("BUILD_WORKING_DIRECTORY");
    unsetenv("BUILD_WORKSPACE_DIRECTORY");
  }

  const std::string folder_ = testing::TempDir() + "user_path";
  const std::string workspace_ = folder_ + "/workspace";
  const std::string user_ = folder_ + "/user";
};

TEST_F(UserPathTest, IsRelativeToWhereTheUserStands) {
  EXPECT_EQ(UserPath("runs/a"), user_ + "/runs/a");
  EXPECT_EQ(UserPath("../b"), folder_ + "/b");
  EXPECT_EQ(UserPath("/abs"), "/abs");
  EXPECT_EQ(UserPath(""), "");
  unsetenv("BUILD_WORKING_DIRECTORY");
  EXPECT_EQ(UserPath("runs/a"), "runs/a");
}

TEST_F(UserPathTest, AConfigIsFoundByPathFromTheUserOrTheWorkspaceAndByItsBareName) {
  EXPECT_EQ(FindConfigFile("own.yaml"), user_ + "/own.yaml");
  EXPECT_EQ(FindConfigFile("configs/cart.yaml"), workspace_ + "/configs/cart.yaml");
  EXPECT_EQ(FindConfigFile("pole"), workspace_ + "/configs/pole.yaml");
  EXPECT_EQ(FindConfigFile(user_ + "/own.yaml"), user_ + "/own.yaml");
}

TEST_F(UserPathTest, AMissingConfigListsTheKnownOnesAndTheNearest) {
  EXPECT_EQ(UsageErrorOf([] { FindConfigFile("configs/crat.yaml"); }),
            "--config configs/crat.yaml: no such file; did you mean cart? " + workspace_ +
                "/configs has cart, pole");
  EXPECT_EQ(UsageErrorOf([] { FindConfigFile("zzzzz"); }),
            "--config zzzzz: no such file; " + workspace_ + "/configs has cart, pole");
}

TEST_F(UserPathTest, APretrainedPolicyIsFoundByItsNameAlone) {
  const std::string folder = workspace_ + "/configs/pretrained";
  EXPECT_EQ(UsageErrorOf([] { FindPretrained("best"); }),
            "--pretrained best: no such file, and none in " + folder +
                "; run this in the project's folder");
  MakeWritableFolder(folder);
  WriteFileAtomically(folder + "/best.ckpt", "");
  EXPECT_EQ(FindPretrained("best"), folder + "/best.ckpt");
  EXPECT_EQ(UsageErrorOf([] { FindPretrained("bets"); }),
            "--pretrained bets: no such file; did you mean best? " + folder + " has best");
}

TEST_F(UserPathTest, WithoutAnyConfigsTheRemedyIsTheRightFolder) {
  unsetenv("BUILD_WORKSPACE_DIRECTORY");
  EXPECT_EQ(UsageErrorOf([] { FindConfigFile("cart"); }),
            "--config cart: no such file, and none in " + user_ +
                "/configs; run this in the project's folder or give the path of a YAML file");
}

}  // namespace
}  // namespace dray
