#include "src/metrics/report_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace dray {
namespace {

using testing::ElementsAre;

Report Example() {
  Report report;
  report.epoch = 50;
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

std::vector<std::string> PlainText(const Report& report, int64_t epochs = 976) {
  RunHeader header;
  header.epochs = epochs;
  return ReportText(header, report, Paint(false));
}

TEST(ReportText, APlainReportIsThreeLines) {
  EXPECT_THAT(PlainText(Example()),
              ElementsAre("epoch 50/976 · episodes 1,234 · return 187.3 (last 100) · length 187 "
                          "steps · 25,600 steps · 12,346 steps/s · ETA 1m 20s",
                          "    policy loss -0.0123 · value loss 12.3 · entropy 0.612 nats · KL "
                          "0.0042 nats · clipped 12%",
                          "    time: rollout 65% (1.3s) · learn 35% (700ms) · elapsed 1m 30s"));
}

TEST(ReportText, TheOracleIsAPartOfTheRolloutsAndNotOfTheWholeAgain) {
  Report report = Example();
  report.Record("time/shards_s", 2.5);  // of two threads
  report.Record("time/oracle_s", 1.0);
  EXPECT_EQ(PlainText(report).back(),
            "    time: rollout 65% (1.3s, 40% of it oracle) · learn 35% (700ms) · elapsed 1m 30s");
}

TEST(ReportText, EvaluationStatisticsLagAndTroublesHaveLinesWhenThereAreAny) {
  Report report;
  report.epoch = 3;
  report.Record("episode/stat/served_share", 0.98765);
  report.Record("episode/stat/cost", 1234.5);
  report.Record("lag/min", 0);
  report.Record("lag/mean", 0.5);
  report.Record("lag/max", 2);
  report.Record("batches/dropped", 1);
  report.Record("batches/lost", 0);
  report.Record("actors/restarted", 2);
  report.Record("eval/return_mean", 500);
  report.Record("eval/return_ci95", 0);
  report.Record("eval/episodes", 20);
  report.Record("eval/length_mean", 500);
  EXPECT_THAT(PlainText(report, 0),
              ElementsAre("epoch 3", "    episodes: served_share 0.9877 · cost 1234",
                          "    policy lag: min 0 · mean 0.5 · max 2 updates",
                          "    so far: 1 batch dropped as too old · 2 actors restarted",
                          "    evaluation: return 500.0 ± 0.0 (95% CI, 20 episodes) · length 500 "
                          "steps"));
}

TEST(ReportText, WhatIsNotKnownYetReadsAsNotAvailable) {
  Report report;
  report.Record("episode/return_mean", std::nan(""));
  report.Record("completed_episodes", std::nan(""));
  EXPECT_THAT(PlainText(report, 5),
              ElementsAre("epoch 0/5 · episodes n/a · return n/a (last 100)"));
}

TEST(ReportText, ColoursAreUsedOnlyWhenAskedFor) {
  for (const std::string& line : PlainText(Example())) EXPECT_EQ(line.find('\x1b'), line.npos);
  EXPECT_EQ(Paint(true).Good("x"), "\x1b[32mx\x1b[0m");
  EXPECT_EQ(ReportText({}, Example(), Paint(true))[0].find("\x1b[1mepoch 50\x1b[0m"), 0u);
}

}  // namespace
}  // namespace dray
