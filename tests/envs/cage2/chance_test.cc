#include "src/envs/cage2/chance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/envs/cage2/scenario2.h"

namespace dray::cage2 {
namespace {

constexpr int kDraws = 200000;

// Whether a share of kDraws is as expected, within five standard errors.
void ExpectShare(int count, double expected) {
  const double error = std::sqrt(expected * (1 - expected) / kDraws);
  EXPECT_NEAR(count / double{kDraws}, expected, 5 * error + 1e-12);
}

struct Drawing {
  Rng rng = Rng(11, RngPurpose::kTest, 0);
  RngChance chance = RngChance(rng);
};

TEST(RngChance, PicksEveryCandidateAlike) {
  Drawing drawing;
  const HostMask candidates = Bit(kDefender) | Bit(kOpServer0) | Bit(kUser4);
  std::map<Host, int> counts;
  for (int i = 0; i < kDraws; ++i) ++counts[drawing.chance.PickHost(candidates)];
  EXPECT_EQ(counts.size(), 3u);
  for (const auto& [host, count] : counts) ExpectShare(count, 1 / 3.0);
}

TEST(RngChance, PicksTheHighestExploitInThreeOfFourCases) {
  Drawing drawing;
  std::map<Exploit, int> counts;
  for (int i = 0; i < kDraws; ++i) ++counts[drawing.chance.PickExploit(0b11011010)];
  EXPECT_EQ(counts.size(), 5u);
  ExpectShare(counts[Exploit::kHarakaRce], 0.75);
  for (const Exploit other :
       {Exploit::kHttpsRfi, Exploit::kHttpRfi, Exploit::kBlueKeep, Exploit::kSshBruteForce}) {
    ExpectShare(counts[other], 0.25 / 4);
  }
}

TEST(RngChance, DetectsNineteenOfTwenty) {
  Drawing drawing;
  int detected = 0;
  for (int i = 0; i < kDraws; ++i) detected += drawing.chance.Detects();
  ExpectShare(detected, 0.95);
}

TEST(RngChance, PicksEverySessionAlike) {
  Drawing drawing;
  std::map<int, int> counts;
  for (int i = 0; i < kDraws; ++i) ++counts[drawing.chance.PickSession(3)];
  EXPECT_EQ(counts.size(), 3u);
  for (const auto& [session, count] : counts) ExpectShare(count, 1 / 3.0);
}

TEST(RngChance, GreenScansEveryOtherStepOneOfEightHosts) {
  Drawing drawing;
  std::map<Host, int> counts;
  for (int i = 0; i < kDraws; ++i)
    ++counts[drawing.chance.PickGreenScan(kUserHosts | kEnterpriseHosts)];
  EXPECT_EQ(counts.size(), 9u);
  ExpectShare(counts[kNoHost], 0.5);
  for (const Host host :
       {kEnterprise0, kEnterprise1, kEnterprise2, kUser0, kUser1, kUser2, kUser3, kUser4}) {
    ExpectShare(counts[host], 1 / 16.0);
  }
}

}  // namespace
}  // namespace dray::cage2
