#include "src/config/reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/file.h"
#include "src/config/config.pb.h"

namespace dray {
namespace {

using testing::HasSubstr;

TEST(Reference, IsCurrent) {
  EXPECT_TRUE(ReadFile("configs/REFERENCE.md") == ReferenceMarkdown(*Config::descriptor()))
      << "configs/REFERENCE.md is not what the messages say. Run scripts/generate.sh.";
}

TEST(Reference, HasTypeDefaultRangeUnitAndDocOfAKey) {
  const std::string page = ReferenceMarkdown(*Config::descriptor());
  EXPECT_THAT(page,
              HasSubstr("| `ppo.learning_rate` | number | `0.00025` | above 0 and at most 1 | "
                        " | Adam's step size |\n"));
  EXPECT_THAT(page, HasSubstr("| `run.device` | `auto`, `cpu`, `cuda`, `mps` | `auto` |"));
  EXPECT_THAT(page, HasSubstr("| `train.duration_s` | number | `0` | at least 0 | s |"));
  EXPECT_THAT(page, HasSubstr("## env.cartpole\n"));
}

}  // namespace
}  // namespace dray
