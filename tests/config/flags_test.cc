#include "src/config/flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/config/error_text.h"
#include "tests/config/flag_settings.pb.h"

namespace dray {
namespace {

using testing::ElementsAre;

std::vector<Flag> Table() {
  using enum FlagForm;
  return {
      {.name = "count", .value = "N", .path = "count", .aliases = {"number"}},
      {.name = "quick", .form = kSwitch, .path = "quick"},
      {.name = "colour", .path = "colour"},
      {.name = "file", .form = kPaths, .value = "FILE", .path = "files"},
      {.name = "sizes", .form = kList, .value = "LIST", .path = "sizes", .clears = {"count"}},
      {.name = "time", .form = kDuration, .value = "TIME", .path = "time_s"},
      {.name = "set", .form = kSet, .value = "KEY=VALUE", .help = "Any setting"},
      {.name = "log", .form = kOptionalPath, .value = "[FILE]", .help = "Write a log"},
      {.name = "name", .form = kText, .value = "NAME", .path = "name", .ask = "what is its name?"},
      kHelpFlag,
  };
}

GivenFlags Given(const std::vector<std::string>& arguments) {
  return {Table(), *FlagSettings::descriptor(), arguments};
}

// With the flag that must be there.
FlagSettings Read(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--name", "x"});
  FlagSettings settings;
  Given(arguments).ApplyTo(&settings);
  return settings;
}

std::string Refused(const std::vector<std::string>& arguments) {
  return UsageErrorOf([&] { Read(arguments); });
}

TEST(Flags, SetTheirSettings) {
  const FlagSettings settings = Read({"--count", "5", "--quick", "--colour=light_blue", "--file",
                                      "/a b", "--file=/c", "--time", "5m", "--name", "true: [x"});
  EXPECT_EQ(settings.count(), 5);
  EXPECT_TRUE(settings.quick());
  EXPECT_EQ(settings.colour(), FlagSettings::LIGHT_BLUE);
  EXPECT_THAT(settings.files(), ElementsAre("/a b", "/c"));
  EXPECT_EQ(settings.time_s(), 300);
  EXPECT_EQ(settings.name(), "x");
}

TEST(Flags, WithoutThemTheDefaultsHold) {
  EXPECT_EQ(Read({}).count(), 3);
  EXPECT_FALSE(Read({}).quick());
}

TEST(Flags, TheLastOfRepeatedOnesWinsAndSetComesFirst) {
  EXPECT_EQ(Read({"--number", "4", "--count", "5"}).count(), 5);
  EXPECT_EQ(Read({"--number", "4", "--set", "count=6"}).count(), 4);
  EXPECT_EQ(Read({"--set", "count=6", "--set", "colour=light_blue"}).count(), 6);
}

TEST(Flags, AListMayOutrankAnotherSetting) {
  const FlagSettings settings = Read({"--sizes", "1,64"});
  EXPECT_THAT(settings.sizes(), ElementsAre(1, 64));
  EXPECT_EQ(Given({"--sizes", "1", "--count", "2"}).overrides().front().path, "count");
}

TEST(Flags, AnOptionalValueIsNotTakenFromTheNextFlag) {
  EXPECT_EQ(Given({"--log", "--quick"}).Text("log"), "");
  EXPECT_TRUE(Given({"--log", "--quick"}).Has("quick"));
  EXPECT_EQ(Given({"--log", "a"}).Text("log"), "a");
  EXPECT_FALSE(Given({}).Has("log"));
}

TEST(Flags, AMistakeNamesTheFlagAndTheRemedy) {
  EXPECT_EQ(Refused({"--cuont", "4"}), "--cuont: unknown flag; did you mean --count?");
  EXPECT_EQ(Refused({"count"}), "count: unexpected argument; flags begin with --, see --help");
  EXPECT_EQ(Refused({"--colour", "--quick"}), "--colour: needs a value: red or light_blue");
  EXPECT_EQ(Refused({"--quick=yes"}), "--quick=yes: --quick takes no value");
  EXPECT_EQ(Refused({"--count", "10"}), "--count 10: 10 is out of range; it must be from 0 to 9");
  EXPECT_EQ(Refused({"--number", "many"}),
            "--number many: expected a whole number, found \"many\"");
  EXPECT_EQ(Refused({"--sizes", "1,0"}),
            "--sizes 1,0[1]: 0 is out of range; it must be at least 1");
  FlagSettings settings;
  EXPECT_EQ(UsageErrorOf([&] { Given({"--quick"}).ApplyTo(&settings); }),
            "--name: what is its name?");
}

TEST(Flags, ADurationHasAUnit) {
  EXPECT_EQ(DurationSeconds("30s", ""), 30);
  EXPECT_EQ(DurationSeconds("5m", ""), 300);
  EXPECT_EQ(DurationSeconds("2h", ""), 7200);
  EXPECT_EQ(DurationSeconds("1.5h", ""), 5400);
  for (const std::string wrong :
       {"", "5", "s", "5x", "5 m", "-5s", "nan", "infh", "5ms", "1h30m"}) {
    EXPECT_EQ(
        Refused({"--time", wrong}),
        "--time " + wrong + ": expected a number of seconds, minutes or hours: 30s, 5m or 2h");
  }
}

TEST(Flags, AnAliasOfOneLetterHasOneDash) {
  const std::vector<Flag> flags = {kVerboseFlag, kHelpFlag};
  const auto given = [&](const std::string& typed) {
    return GivenFlags(flags, *FlagSettings::descriptor(), std::vector<std::string>{typed});
  };
  EXPECT_TRUE(given("-v").Has("verbose"));
  EXPECT_TRUE(given("--verbose").Has("verbose"));
  EXPECT_EQ(UsageErrorOf([&] { given("-x"); }), "-x: unknown flag; --help lists the known ones");
  EXPECT_EQ(UsageErrorOf([&] { given("--v"); }).substr(0, 17), "--v: unknown flag");
}

}  // namespace
}  // namespace dray
