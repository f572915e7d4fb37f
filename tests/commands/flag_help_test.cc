#include "src/commands/flag_help.h"

#include <gtest/gtest.h>

#include "tests/config/flag_settings.pb.h"

namespace dray {
namespace {

using enum FlagForm;

const std::vector<Flag> kFlags = {
    {.name = "count", .value = "N", .path = "count", .aliases = {"number"}},
    {.name = "quick", .form = kSwitch, .path = "quick"},
    {.name = "colour", .path = "colour"},
    {.name = "limit", .form = kDuration, .value = "TIME", .path = "time_s", .help = "Stop then"},
};

TEST(FlagHelp, TellsWhatASettingMeansAndItsDefault) {
  EXPECT_EQ(FlagsHelp(kFlags, FlagSettings()),
            "  --count N                How many [default: 3 things]; also --number\n"
            "  --quick                  In a hurry\n"
            "  --colour red|light_blue  Of all things [default: red]\n"
            "  --limit TIME             Stop then\n");
}

TEST(FlagHelp, DefaultsAreTheValuesOfTheMessage) {
  FlagSettings settings;
  settings.set_count(1);
  settings.set_colour(FlagSettings::LIGHT_BLUE);
  settings.set_time_s(2.5);
  EXPECT_EQ(FlagsHelp(kFlags, settings),
            "  --count N                How many [default: 1 thing]; also --number\n"
            "  --quick                  In a hurry\n"
            "  --colour red|light_blue  Of all things [default: light_blue]\n"
            "  --limit TIME             Stop then [default: 2.5]\n");
}

TEST(FlagHelp, AnAliasOfOneLetterHasOneDash) {
  EXPECT_EQ(FlagUsage(kVerboseFlag, *FlagSettings::descriptor()), "-v, --verbose");
}

TEST(FlagHelp, FlagsOfAGroupLieTogetherUnderItsHeading) {
  const std::vector<Flag> flags = {{.name = "a", .form = kSwitch, .help = "One"},
                                   {.name = "b", .form = kSwitch, .help = "Two", .group = "Birds"},
                                   {.name = "c", .form = kSwitch, .help = "Three"}};
  EXPECT_EQ(FlagsHelp(flags, FlagSettings()), "  --a  One\n  --c  Three\n\nBirds\n  --b  Two\n");
}

}  // namespace
}  // namespace dray
