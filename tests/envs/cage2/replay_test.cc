#include "src/envs/cage2/replay.h"

#include <gtest/gtest.h>

#include <string>

#include "src/base/error.h"
#include "src/base/file.h"

namespace dray::cage2 {
namespace {

constexpr char kHeadTraces[] = "tests/data/cage2/traces_head.csv";
constexpr char kLeaderboardTraces[] = "tests/data/cage2/traces_leaderboard.csv";

constexpr char kHeader[] =
    "trace,red,green,policy,seed,step,blue_action,red_action,red_target,red_success,exploit,"
    "detected,esc_session,green_scan,reward,obs_hex,red_ports,cand_mask\n";
constexpr char kReset[] = "1,bline,0,random,4001,0,,,,,,,,,,0000000000000,,\n";
constexpr char kFirst[] = "1,bline,0,random,4001,1,108,DRS,User,1,,,,,0.0,0000000000000,,\n";
constexpr char kSecond[] = "1,bline,0,random,4001,2,119,DNS,User2,1,,,,,0.0,0000000000800,,\n";

std::string Text() { return std::string(kHeader) + kReset + kFirst + kSecond; }

std::string Refusal(const std::string& text) {
  try {
    ParseTraces(text, "some.csv", ShippedNetwork());
  } catch (const Error& error) {
    return error.what();
  }
  return "not refused";
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

ReplayReport Replayed(const std::string& text) {
  return Replay(ParseTraces(text, "some.csv", ShippedNetwork()), {});
}

TEST(Replay, OfTheNewestReleaseIsExact) {
  const ReplayReport report = Replay(ReadTraces(kHeadTraces, ShippedNetwork()), {});
  EXPECT_EQ(report.episodes, 40);
  EXPECT_EQ(report.steps, 4000);
  EXPECT_EQ(report.mismatches, 0) << TextOf(report.first.front());
}

TEST(Replay, OfTheLeaderboardReleaseIsExact) {
  const ReplayReport report =
      Replay(ReadTraces(kLeaderboardTraces, ShippedNetwork()), {.release = Release::kLeaderboard});
  EXPECT_EQ(report.episodes, 40);
  EXPECT_EQ(report.steps, 4000);
  EXPECT_EQ(report.mismatches, 0) << TextOf(report.first.front());
}

TEST(Replay, TellsTheReleasesApart) {
  EXPECT_GT(Replay(ReadTraces(kLeaderboardTraces, ShippedNetwork()), {}).mismatches, 0);
  EXPECT_GT(Replay(ReadTraces(kHeadTraces, ShippedNetwork()), {.release = Release::kLeaderboard})
                .mismatches,
            0);
}

TEST(Replay, TellsTheWrappersApart) {
  EXPECT_GT(
      Replay(ReadTraces(kHeadTraces, ShippedNetwork()), {.wrapper = Wrapper::kCardiff}).mismatches,
      0);
}

TEST(Replay, SaysWhatDiffersAndWhere) {
  const ReplayReport report = Replayed(Replaced(Text(), "0.0,0000000000800", "-0.1,0000000000800"));
  ASSERT_EQ(report.mismatches, 1);
  EXPECT_EQ(TextOf(report.first[0]),
            "trace 1, step 2 (line 4): reward is -0.1 in the file, 0 in the game");
}

TEST(Replay, ComparesEveryColumn) {
  const std::pair<std::string, std::string> changes[] = {
      {",DNS,User2,", ",EXP,User2,"},
      {",DRS,User,", ",DRS,Enterprise,"},
      {",User2,1,,,,,", ",User2,0,,,,,"},
      {",User2,1,,,,,", ",User2,1,BlueKeep,,,,"},
      {",User2,1,,,,,", ",User2,1,,1,,,"},
      {",User2,1,,,,,", ",User2,1,,,0,,"},
      {",User2,1,,,,,", ",User2,1,,,,User1,"},
      {",0000000000800,,", ",0000000000400,,"},
      {",0000000000800,,", ",0000000000800,22,"},
      {",0000000000800,,", ",0000000000800,,0400"},
      {"0,,,,,,,,,,0000000000000", "0,,,,,,,,,,0000000000001"}};
  EXPECT_EQ(Replayed(Text()).mismatches, 0);
  for (const auto& [from, to] : changes)
    EXPECT_GT(Replayed(Replaced(Text(), from, to)).mismatches, 0) << to;
}

TEST(Replay, KeepsOnlyTheFirstMismatches) {
  const ReplayReport report = Replay(ReadTraces(kLeaderboardTraces, ShippedNetwork()), {}, 3);
  EXPECT_EQ(report.first.size(), 3u);
  EXPECT_GT(report.mismatches, 3);
}

TEST(Traces, MayEndLinesEitherWay) {
  std::string windows;
  for (const char c : Text()) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(Replayed(windows).steps, 2);
  EXPECT_EQ(Replayed(Text() + "\n\n").steps, 2);
  std::string unended = Text();
  unended.pop_back();
  EXPECT_EQ(Replayed(unended).steps, 2);
}

TEST(Traces, FindColumnsByName) {
  const std::string text =
      "obs_hex,reward,green_scan,esc_session,detected,exploit,red_success,red_target,red_action,"
      "blue_action,step,green,red,trace\n"
      "0000000000000,-0.0,,,,,1,User,DRS,0,1,0,bline,x\n";
  EXPECT_EQ(Replayed(text).steps, 1);
  EXPECT_EQ(Replayed(text).mismatches, 0);
}

TEST(Traces, NeedNoRowForTheReset) {
  EXPECT_EQ(Replayed(std::string(kHeader) + kFirst + kSecond + kFirst).episodes, 2);
}

TEST(Traces, RefusalsNameTheLine) {
  const std::tuple<std::string, std::string, std::string> cases[] = {
      {",108,", ",145,", "some.csv:3: column blue_action: expected a whole number from 0 to 144"},
      {",108,", ",,", "some.csv:3: column blue_action"},
      {",108,", ",1e3,", "some.csv:3: column blue_action"},
      {",DRS,", ",DSR,", "some.csv:3: column red_action: expected DRS"},
      {"DNS,User2", "DNS,User7", "some.csv:4: 'User7' is not a known host"},
      {"DRS,User", "DRS,User1", "some.csv:3: 'User1' is not a known subnet"},
      {"1,bline,0,random,4001,1,", "1,blain,0,random,4001,1,", "some.csv:3: 'blain' is not a red"},
      {"4001,2,", "4001,3,", "some.csv:4: column step: expected 2"},
      {"0000000000800", "000000000080", "some.csv:4: column obs_hex: expected 13"},
      {"0000000000800", "000000000080g", "some.csv:4: column obs_hex"},
      {"0.0,", "zero,", "some.csv:3: column reward: expected a number"},
      {"0000000000800,,", "0000000000800,23,", "some.csv:4: column red_ports"},
      {"0000000000800,,", "0000000000800,,ffff", "some.csv:4: column cand_mask"},
      {"0000000000800,,", "0000000000800,,,", "some.csv:4: expected 18 values, found 19"},
      {"obs_hex", "observation", "some.csv:1: no column named obs_hex"},
      {"seed", "policy", "some.csv:1: column policy appears twice"},
  };
  for (const auto& [from, to, expected] : cases) {
    const std::string refusal = Refusal(Replaced(Text(), from, to));
    EXPECT_EQ(refusal.substr(0, expected.size()), expected) << refusal;
  }
}

TEST(Traces, WithoutAnEpisodeAreRefused) {
  EXPECT_EQ(Refusal(kHeader), "some.csv: contains no episodes");
  EXPECT_NE(Refusal(""), "not refused");
  EXPECT_NE(Refusal(std::string("\0\1\2,\n", 5)), "not refused");
}

}  // namespace
}  // namespace dray::cage2
