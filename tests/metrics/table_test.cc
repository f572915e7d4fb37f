#include "src/metrics/table.h"

#include <gtest/gtest.h>

#include <set>

#include "src/base/file.h"

namespace dray {
namespace {

TEST(Table, NamesAreUniqueAndEveryMetricHasAHelpText) {
  std::set<std::string_view> names;
  EXPECT_FALSE(Metrics().empty());
  for (const Metric& metric : Metrics()) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
    EXPECT_FALSE(metric.help.empty()) << metric.name;
    EXPECT_EQ(FindMetric(metric.name), &metric);
    EXPECT_TRUE(IsMetricName(metric.name));
  }
}

TEST(Table, UnitsOfTimeAndMemoryOccurOnlyUnderTheirPrefixes) {
  for (const Metric& metric : Metrics()) {
    const bool of_machine =
        metric.unit == "s" || metric.unit == "MB" || metric.unit.ends_with("/s");
    EXPECT_TRUE(!of_machine || DependsOnMachine(metric.name)) << metric.name;
    EXPECT_EQ(metric.name.ends_with("_s"), metric.unit == "s" || metric.unit == "steps/s")
        << metric.name;
  }
  EXPECT_FALSE(DependsOnMachine("train/policy_loss"));
  EXPECT_TRUE(DependsOnMachine("time/elapsed_s"));
}

TEST(Table, EnvironmentsMayNameTheirOwnEpisodeStatisticsAndNothingElse) {
  EXPECT_TRUE(IsMetricName("episode/stat/served_share"));
  EXPECT_TRUE(IsMetricName("eval/stat/served_share"));
  EXPECT_FALSE(IsMetricName("episode/stat/"));
  EXPECT_FALSE(IsMetricName("episode/stat/Served share"));
  EXPECT_FALSE(IsMetricName("episode/stat/a\"b"));
  EXPECT_FALSE(IsMetricName("episode/served_share"));
  EXPECT_FALSE(IsMetricName(""));
}

TEST(Table, TheReferencePageIsCurrent) {
  EXPECT_EQ(ReadFile("configs/METRICS.md"), MetricsReference()) << "run scripts/generate.sh";
}

}  // namespace
}  // namespace dray
