#include "src/output/progress_line.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
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

TEST(ProgressLine, IsForTerminalsAloneUnlessAnIntervalIsGiven) {
  EXPECT_EQ(Drawn(false), "");
  std::ostringstream out;
  std::promise<void> twice;  // the second call comes after the first line
  std::atomic<bool> begun = false;
  {
    int calls = 0;
    ProgressLine line(
        out, {.is_terminal = false}, "starting",
        [&] {
          if (begun && ++calls == 2) twice.set_value();
          return 0.25;
        },
        ProgressLine::Interval(1));
    line.Begin("playing");
    begun = true;
    twice.get_future().wait();
  }
  EXPECT_NE(out.str().find(" 25% · playing · ETA "), std::string::npos) << out.str();
  EXPECT_EQ(out.str().find('\r'), std::string::npos);
  EXPECT_TRUE(out.str().ends_with("\n"));
}

}  // namespace
}  // namespace dray
