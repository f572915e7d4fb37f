#include "src/output/status_line.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace dray {
namespace {

TEST(StatusText, NeverFillsTheLineAndShortensTheBarFirst) {
  const RunStatus status{.progress = 0.5, .phase = "rollout", .steps_per_s = 1, .eta_s = 1};
  const std::string words = " 50% · rollout · 1 steps/s · ETA 1s";  // 35 characters
  EXPECT_EQ(StatusText(status), "███████████████░░░░░░░░░░░░░░░" + words);
  EXPECT_EQ(StatusText(status, 40), "██░░" + words);
  EXPECT_EQ(StatusText(status, 36), words);
  EXPECT_EQ(StatusText(status, 7), " 50% ·");
  EXPECT_EQ(StatusText(status, 1), "");
}

TEST(StatusText, SaysHundredPercentOnlyWhenAllIsDone) {
  EXPECT_NE(StatusText({.progress = 0.999}, 80).find(" 99%"), std::string::npos);
  EXPECT_NE(StatusText({.progress = 1.2}, 80).find(" 100%"), std::string::npos);
  EXPECT_NE(StatusText({.progress = std::nan("")}, 80).find(" 0%"), std::string::npos);
}

TEST(StatusLine, IsRedrawnInPlaceOnATerminalAndNowhereElse) {
  for (const bool is_terminal : {true, false}) {
    std::ostringstream out;
    {
      StatusLine line(out, {.is_terminal = is_terminal});
      line.Draw({.progress = 0.5});
      EXPECT_EQ(line.drawn(), is_terminal);
    }
    EXPECT_EQ(out.str().ends_with("\r\x1b[K"), is_terminal);
    EXPECT_EQ(out.str().empty(), !is_terminal);
  }
}

}  // namespace
}  // namespace dray
