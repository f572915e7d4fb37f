#include "src/routing/clock_time.h"

#include <gtest/gtest.h>

namespace dray {
namespace {

TEST(ClockTime, HoursMinutesAndSecondsAreMinutesSinceMidnight) {
  EXPECT_EQ(ClockMinutes("00:00"), 0);
  EXPECT_EQ(ClockMinutes("09:00"), 540);
  EXPECT_EQ(ClockMinutes("9:05"), 545);
  EXPECT_EQ(ClockMinutes("23:59"), 1439);
  EXPECT_EQ(ClockMinutes("24:00"), 1440);
  EXPECT_EQ(ClockMinutes("09:00:30"), 540.5);
}

TEST(ClockTime, AnythingElseIsNone) {
  for (const char* text : {"",       ":",      "9",        "540",         "9:",     ":30",
                           "9:5",    "9:60",   "24:01",    "25:00",       "-1:00",  "+9:00",
                           "009:00", "09:00:", "09:00:60", "09:00:00:00", "09:00 ", "9 :00",
                           "9:00pm", "0x9:00"}) {
    EXPECT_EQ(ClockMinutes(text), std::nullopt) << text;
  }
}

TEST(ClockTime, EveryMinuteOfADayReadsBack) {
  for (int minute = 0; minute <= 24 * 60; ++minute) {
    EXPECT_EQ(ClockMinutes(ClockText(minute)), minute);
  }
}

}  // namespace
}  // namespace dray
