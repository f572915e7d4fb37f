#include "src/loop/env_accounts.h"

#include <gtest/gtest.h>

#include "src/base/error.h"

namespace dray {
namespace {

EnvSpec Spec(std::vector<std::string> followed = {"fixes"}) {
  EnvSpec spec;
  spec.episode_stats = {"speed", "fixes"};
  spec.env_stats = std::move(followed);
  return spec;
}

Episode Of(double total_reward, double fixes) {
  Episode episode;
  episode.total_reward = total_reward;
  episode.stats = {0, fixes};
  return episode;
}

Report ReportOf(const EnvAccounts& accounts) {
  Report report;
  accounts.RecordInto(report);
  return report;
}

TEST(EnvAccounts, EachEnvironmentHasItsOwnCountersAndItsLastEpisode) {
  EnvAccounts accounts(Spec(), 12);
  accounts.Add(3, Of(-5, 7));
  accounts.Add(3, Of(-4, 9));
  accounts.Add(11, Of(1, 2));
  const Report report = ReportOf(accounts);
  EXPECT_EQ(report.Get("env/03/episodes"), 2);
  EXPECT_EQ(report.Get("env/03/return"), -4);
  EXPECT_EQ(report.Get("env/03/stat/fixes"), 9);
  EXPECT_EQ(report.Get("env/11/stat/fixes"), 2);
  EXPECT_FALSE(report.Has("env/00/episodes"));
}

TEST(EnvAccounts, TheFewestEpisodesAreThoseOfTheLast) {
  EnvAccounts accounts(Spec(), 2);
  accounts.Add(0, Of(0, 0));
  EXPECT_EQ(accounts.fewest_episodes(), 0);
  accounts.Add(1, Of(0, 0));
  EXPECT_EQ(accounts.fewest_episodes(), 1);
}

TEST(EnvAccounts, ATaskThatIsNotFollowedOneByOneReportsNothing) {
  EnvAccounts accounts(Spec({}), 2);
  accounts.Add(0, Of(0, 0));
  EXPECT_TRUE(ReportOf(accounts).values.empty());
}

TEST(EnvAccounts, ASavedCopyGoesOn) {
  EnvAccounts accounts(Spec(), 2), copy(Spec(), 2), other(Spec({}), 2);
  accounts.Add(1, Of(-3, 4));
  ByteWriter out;
  accounts.Save(out);
  const std::string saved = out.Take();
  ByteReader in(saved, "accounts");
  copy.Load(in);
  in.ExpectEnd();
  EXPECT_EQ(ReportOf(copy).values, ReportOf(accounts).values);
  ByteReader again(saved, "accounts");
  EXPECT_THROW(other.Load(again), Error);
}

TEST(EnvAccounts, ASavedCountThatCannotBeIsAnError) {
  for (const int64_t episodes : {int64_t{-1}, INT64_MAX}) {
    ByteWriter out;
    out.Put(episodes);
    out.Put(0.0);
    out.PutVector(std::vector<double>{});
    ByteReader in(out.bytes(), "accounts");
    EXPECT_THROW(EnvAccounts(EnvSpec(), 1).Load(in), Error);
  }
}

}  // namespace
}  // namespace dray
