#include "src/envs/cage2/scripted_policies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/envs/cage2/blue_actions.h"
#include "src/envs/cage2/monitor.h"
#include "tests/envs/cage2/act.h"
#include "tests/envs/cage2/scenario2.h"

namespace dray::cage2 {
namespace {

using testing::ElementsAre;

uint64_t Showing(Host host, Activity activity, Compromised compromised) {
  return (static_cast<uint64_t>(activity) << 2 | static_cast<uint64_t>(compromised))
         << ObservationShift(host);
}

class ReactRemoveRestore : public testing::Test {
 protected:
  ReactRemoveRestore() { policy->Begin(0, 1); }
  std::string Act(uint64_t observation) { return ActionName(ActAfter(observation, *policy)); }

  std::unique_ptr<Player> policy = MakeScriptedPolicy("react_remove_restore", 1, ShippedNetwork());
};

TEST_F(ReactRemoveRestore, SleepsWhenNothingLooksCompromised) {
  EXPECT_EQ(Act(0), "Sleep");
  EXPECT_EQ(Act(Showing(kUser1, Activity::kScan, Compromised::kNo)), "Sleep");
}

TEST_F(ReactRemoveRestore, RemovesUsersAndRestoresOtherwise) {
  EXPECT_EQ(Act(Showing(kUser1, Activity::kExploit, Compromised::kUser)), "Remove User1");
  EXPECT_EQ(Act(Showing(kUser1, Activity::kNone, Compromised::kUnknown)), "Restore User1");
  EXPECT_EQ(Act(Showing(kUser1, Activity::kNone, Compromised::kPrivileged)), "Restore User1");
}

TEST_F(ReactRemoveRestore, LooksToTheHostThatWasExploitedLast) {
  const uint64_t user4 = Showing(kUser4, Activity::kNone, Compromised::kUser);
  const uint64_t user1 = Showing(kUser1, Activity::kNone, Compromised::kUser);
  Act(Showing(kUser1, Activity::kExploit, Compromised::kUser));
  Act(Showing(kUser4, Activity::kExploit, Compromised::kUser));
  EXPECT_EQ(Act(user1 | user4), "Remove User4");
  policy->Begin(1, 1);
  EXPECT_EQ(Act(user1 | user4), "Remove User1") << "a tie: the first";
}

TEST_F(ReactRemoveRestore, LeavesUser0Alone) {
  EXPECT_EQ(Act(Showing(kUser0, Activity::kExploit, Compromised::kUser)), "Sleep");
}

TEST(ScriptedPolicies, SleepAlwaysSleeps) {
  const auto policy = MakeScriptedPolicy("sleep", 1, ShippedNetwork());
  policy->Begin(0, 1);
  EXPECT_EQ(ActAfter(~uint64_t{0} >> 12, *policy), kSleepAction);
}

TEST(ScriptedPolicies, RandomPlaysEveryAction) {
  const auto policy = MakeScriptedPolicy("random", 1, ShippedNetwork());
  policy->Begin(0, 1);
  std::set<int> played;
  for (int i = 0; i < 5000; ++i) played.insert(ActAfter(0, *policy));
  EXPECT_EQ(played.size(), size_t{kBlueActions});
}

TEST(ScriptedPolicies, AnActionFileIsPlayedFromItsStartInEachEpisode) {
  const std::string path = testing::TempDir() + "/actions.txt";
  WriteFileAtomically(path, "51 116\r\n55\n");
  const auto policy = MakeScriptedPolicy("actions:" + path, 1, ShippedNetwork());
  for (int episode = 0; episode < 2; ++episode) {
    policy->Begin(episode, 1);
    for (const int expected : {51, 116, 55, kSleepAction, kSleepAction})
      EXPECT_EQ(ActAfter(0, *policy), expected);
  }
}

TEST(ScriptedPolicies, GamesSideBySideArePlayedAsEachAlone) {
  constexpr int kGames = 3;
  const auto together = MakeScriptedPolicy("random", 5, ShippedNetwork());
  together->Begin(2, kGames);
  const std::vector<float> observations(kGames * 60);  // more than the bits
  std::vector<int32_t> actions(kGames), alone;
  together->Act({observations, {}, {}}, {actions, {}});
  for (int game = 0; game < kGames; ++game) {
    const auto policy = MakeScriptedPolicy("random", 5, ShippedNetwork());
    policy->Begin(2 + game, 1);
    alone.push_back(ActAfter(0, *policy));
  }
  EXPECT_EQ(actions, alone);
}

std::string Refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "not refused";
}

TEST(ScriptedPolicies, BadActionFilesNameTheLine) {
  const auto parsing = [](const char* text) {
    return Refusal([=] { ParseActions(text, "a.txt", ShippedNetwork()); });
  };
  EXPECT_EQ(parsing("1 2\n3 x\n"),
            "a.txt:2: 'x' is not an action; expected a number from 0 to 144");
  EXPECT_EQ(parsing("145").substr(0, 8), "a.txt:1:");
  EXPECT_EQ(parsing("1\n\n-1").substr(0, 8), "a.txt:3:");
  EXPECT_EQ(parsing("1.5").substr(0, 8), "a.txt:1:");
  EXPECT_EQ(parsing("1\n\x1b[2J\x01"),
            "a.txt:2: something unprintable is not an action; expected a number from 0 to 144");
  EXPECT_EQ(parsing("123456789012345678901"),
            "a.txt:1: '12345678901234567890...' is not an action; expected a number from 0 to 144");
  EXPECT_EQ(parsing(" \n"), "a.txt: contains no actions");
  EXPECT_THAT(ParseActions("0\t144\n", "a.txt", ShippedNetwork()), ElementsAre(0, 144));
}

TEST(ScriptedPolicies, UnknownNamesListTheKnown) {
  EXPECT_EQ(Refusal([] { MakeScriptedPolicy("restore", 1, ShippedNetwork()); }),
            "'restore' is not a scripted policy; expected sleep, random, react_restore, "
            "react_remove_restore or "
            "actions:FILE");
  EXPECT_NE(Refusal([] { MakeScriptedPolicy("actions:no/such/file", 1, ShippedNetwork()); }),
            "not refused");
  EXPECT_EQ(Refusal([] { MakeScriptedPolicy("actions:", 1, ShippedNetwork()); }),
            "actions: names no file; expected actions:FILE");
}

}  // namespace
}  // namespace dray::cage2
