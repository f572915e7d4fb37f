#include "src/learn/update_report.h"

#include <gtest/gtest.h>

#include "src/base/error.h"

namespace dray {
namespace {

UpdateReport SomeReport() {
  UpdateReport report;
  report.version = 7;
  report.metrics.Record("train/kl_k3", 0.25);
  report.metrics.Record("memory/learner_splits", 2);
  report.merge_s = 1;
  report.learn_s = 2;
  report.published_unix_s = 3;
  report.signs = {.kl = 0.25, .most_value = 5, .most_reward = 6, .numbers = false};
  report.divergence = Divergence::kKl;
  report.most_credible_value = 8;
  report.restored = true;
  return report;
}

TEST(UpdateReport, IsTheSameAfterItsTravels) {
  const UpdateReport sent = SomeReport();
  const UpdateReport came = UpdateReport::FromBytes(sent.ToBytes());
  EXPECT_EQ(came.version, 7);
  EXPECT_EQ(came.metrics.values, sent.metrics.values);
  EXPECT_EQ(came.merge_s, 1);
  EXPECT_EQ(came.learn_s, 2);
  EXPECT_EQ(came.published_unix_s, 3);
  EXPECT_EQ(came.signs.kl, 0.25);
  EXPECT_EQ(came.signs.most_value, 5);
  EXPECT_EQ(came.signs.most_reward, 6);
  EXPECT_FALSE(came.signs.numbers);
  EXPECT_EQ(came.divergence, Divergence::kKl);
  EXPECT_EQ(came.most_credible_value, 8);
  EXPECT_TRUE(came.restored);
}

TEST(UpdateReport, APartOfOneIsAnError) {
  const std::string bytes = SomeReport().ToBytes();
  ASSERT_GT(bytes.size(), 50u);
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(UpdateReport::FromBytes(bytes.substr(0, size)), Error) << size;
  }
  EXPECT_THROW(UpdateReport::FromBytes(bytes + "x"), Error);
}

TEST(UpdateReport, AMetricWithoutARowIsAnError) {
  std::string bytes = SomeReport().ToBytes();
  bytes.replace(bytes.find("train/kl_k3"), 11, "train/kl_k4");
  EXPECT_THROW(UpdateReport::FromBytes(bytes), Error);
}

}  // namespace
}  // namespace dray
