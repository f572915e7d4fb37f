#include "src/output/report_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "src/output/wrapped_line.h"

namespace dray {
namespace {

using testing::ElementsAre;

Report Example() {
  Report report;
  report.epoch = 50;
  report.Record("progress", 0.429);
  report.Record("completed_episodes", 1234);
  report.Record("total_steps", 25600);
  report.Record("episode/return_mean", 187.34);
  report.Record("episode/length_mean", 187.3);
  report.Record("train/policy_loss", -0.01234);
  report.Record("train/value_loss", 12.34);
  report.Record("train/entropy", 0.6123);
  report.Record("train/kl_k3", 0.0042);
  report.Record("train/clip_fraction", 0.12);
  report.Record("time/rollout_s", 1.3);
  report.Record("time/oracle_s", 0);
  report.Record("time/learn_s", 0.7);
  report.Record("time/elapsed_s", 90);
  report.Record("time/steps_per_s", 12345.6);
  report.Record("time/eta_s", 80);
  return report;
}

RunHeader Header(int64_t epochs = 976) {
  RunHeader header;
  header.epochs = epochs;
  return header;
}

// After earlier reports with these returns.
std::vector<std::string> PlainText(const Report& report, const RunHeader& header = Header(),
                                   const std::vector<double>& returns = {}) {
  ReturnTrend trend;
  double episodes = 0;
  for (const double value : returns) {
    Report before;
    before.Record("episode/return_mean", value);
    before.Record("completed_episodes", episodes += 100);
    trend.Add(before);
  }
  trend.Add(report);
  return ReportText(header, report, trend, 80, Paint(false));
}

TEST(ReportText, IsOneLineWithTheReturnItsTrendAndTheBestSoFar) {
  EXPECT_THAT(PlainText(Example(), Header(), {190.12, 180}),
              ElementsAre(" 42%  epoch 50/976 · return 187.3 ↑ · best 190.1 · 12,346 steps/s · ETA "
                          "1m 20s"));
}

TEST(ReportText, IsAtMostTwoLinesOfEightyColumnsWithTheLongestNumbers) {
  Report report = Example();
  report.epoch = 1'234'567;
  report.Record("episode/return_mean", -123456.78);
  report.Record("time/steps_per_s", 12'345'678);
  report.Record("time/eta_s", 86400 * 12);
  report.Record("eval/return_mean", -123456.78);
  report.Record("eval/return_ci95", 1234.56);
  EXPECT_THAT(
      PlainText(report, Header(10'000'000), {-100000}),
      ElementsAre(" 42%  epoch 1,234,567/10,000,000 · return -123,456.8 ↓ · best -100,000.0",
                  "      12.3M steps/s · ETA 12d 00h · evaluation -123,456.8 ± 1,234.6 "
                  "(best)"));
}

TEST(ReportText, ANarrowTerminalBreaksBetweenParts) {
  ReturnTrend trend;
  const auto lines = ReportText(Header(), Example(), trend, 40, Paint(true));
  EXPECT_GE(lines.size(), 2u);
  for (const std::string& line : lines) EXPECT_LE(DisplayWidth(line), 40u) << line;
}

TEST(ReportText, AnEvaluationSaysWhetherItIsTheBest) {
  ReturnTrend trend;
  Report report;
  report.Record("eval/return_mean", 500);
  report.Record("eval/return_ci95", 0);
  trend.Add(report);
  EXPECT_THAT(ReportText(Header(0), report, trend, 80, Paint(false)),
              ElementsAre("epoch 0 · evaluation 500.0 ± 0.0 (best)"));
  report.Record("eval/return_mean", 400);
  trend.Add(report);
  EXPECT_THAT(ReportText(Header(0), report, trend, 80, Paint(false)),
              ElementsAre("epoch 0 · evaluation 400.0 ± 0.0 (best 500.0)"));
}

TEST(ReportText, TheNewestGainIsShownBesideTheRivalsAlsoBetweenEvaluations) {
  RunHeader header = Header(0);
  header.rival = "greedy";
  header.return_unit = "min";
  Report evaluated;
  evaluated.Record("eval/return_mean", -882.6);
  evaluated.Record("eval/gain_mean", 21.4);
  evaluated.Record("eval/gain_ci95", 6.2);
  evaluated.Record("eval/reference_return", -904);
  evaluated.Record("eval/rival_gain", 19.3);
  ReturnTrend trend;
  trend.Add(evaluated);
  EXPECT_THAT(ReportText(header, evaluated, trend, 80, Paint(false)),
              ElementsAre("epoch 0 · saves 21 ± 6 of 904 min; greedy 19"));
  Report later;
  later.epoch = 1;
  trend.Add(later);
  EXPECT_THAT(ReportText(header, later, trend, 80, Paint(false)),
              ElementsAre("epoch 1 · saves 21 ± 6 of 904 min; greedy 19"));
}

TEST(ReportText, WhereReturnsAreNoCostsAPolicyGains) {
  RunHeader header = Header(0);
  header.rival = "greedy";
  Report report;
  report.Record("eval/gain_mean", -0.25);
  report.Record("eval/gain_ci95", std::nan(""));  // of one episode
  report.Record("eval/reference_return", 3);
  report.Record("eval/rival_gain", 1);
  EXPECT_EQ(GainText(header, report, Paint(false)), "gains -0.2; greedy 1.0");
}

TEST(ReportText, WhatIsNotKnownYetReadsAsNotAvailable) {
  Report report;
  report.Record("episode/return_mean", std::nan(""));
  EXPECT_THAT(PlainText(report, Header(5)), ElementsAre("epoch 0/5 · return n/a"));
}

TEST(ReportText, ColoursAreUsedOnlyWhenAskedFor) {
  for (const std::string& line : PlainText(Example())) EXPECT_EQ(line.find('\x1b'), line.npos);
  EXPECT_EQ(Paint(true).Good("x"), "\x1b[32mx\x1b[0m");
  EXPECT_THAT(ReportText(Header(0), Example(), {}, 80, Paint(true))[0],
              testing::HasSubstr("\x1b[1mepoch 50\x1b[0m"));
}

TEST(DetailText, HasTheLearnerTheEpisodesAndTheTime) {
  EXPECT_THAT(
      DetailText(Example(), 100, Paint(false)),
      ElementsAre("      learner: policy loss -0.0123 · value loss 12.3 · entropy 0.612 nats "
                  "· KL 0.0042 nats",
                  "        clipped 12%",
                  "      episodes: 1,234 ended · length 187 steps · 25,600 steps in all",
                  "      time: rollout 65% (1.3s) · learn 35% (700ms) · elapsed 1m 30s"));
}

TEST(DetailText, TheOracleIsAPartOfTheRolloutsAndNotOfTheWholeAgain) {
  Report report = Example();
  report.Record("time/shards_s", 2.5);  // of two threads
  report.Record("time/oracle_s", 1.0);
  EXPECT_EQ(
      DetailText(report, 100, Paint(false)).back(),
      "      time: rollout 65% (1.3s, 40% of it oracle) · learn 35% (700ms) · elapsed 1m 30s");
}

TEST(DetailText, StatisticsLagAndTroublesHaveLinesWhenThereAreAny) {
  Report report;
  report.Record("episode/stat/served_share", 0.98765);
  report.Record("episode/stat/cost", 1234.5);
  report.Record("lag/min", 0);
  report.Record("lag/mean", 0.5);
  report.Record("lag/max", 2);
  report.Record("batches/dropped", 1);
  report.Record("batches/lost", 0);
  report.Record("updates/undone", 3);
  report.Record("actors/restarted", 2);
  EXPECT_THAT(
      DetailText(report, 80, Paint(false)),
      ElementsAre(
          "      episodes: served_share 0.9877 · cost 1234",
          "      policy lag: min 0 · mean 0.5 · max 2 updates",
          "      so far: 1 batch dropped as too old · 3 updates undone · 2 actors restarted"));
}

}  // namespace
}  // namespace dray
