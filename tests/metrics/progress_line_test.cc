#include "src/metrics/progress_line.h"

#include <gtest/gtest.h>

#include <sstream>

namespace dray {
namespace {

std::string Drawn(bool is_terminal) {
  std::ostringstream out;
  {
    const ProgressLine line(out, {.is_terminal = is_terminal}, "solving", [] { return 0.5; });
  }
  return out.str();
}

TEST(ProgressLine, IsDrawnAtOnceAndLeavesNothingBehind) {
  const std::string text = Drawn(true);
  EXPECT_NE(text.find(" 50% · solving"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("\r\x1b[K"));
}

TEST(ProgressLine, IsForTerminalsAlone) { EXPECT_EQ(Drawn(false), ""); }

}  // namespace
}  // namespace dray
