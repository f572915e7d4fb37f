#include "src/loop/episode_window.h"

#include <gtest/gtest.h>

#include <cmath>

#include "src/base/error.h"

namespace dray {
namespace {

Episode Of(double total_reward, int64_t length, std::vector<double> stats = {}) {
  Episode episode;
  episode.total_reward = total_reward;
  episode.length = length;
  episode.stats = std::move(stats);
  return episode;
}

Report ReportOf(const EpisodeWindow& window) {
  Report report;
  window.RecordInto(report);
  return report;
}

std::string Saved(const EpisodeWindow& window) {
  ByteWriter out;
  window.Save(out);
  return out.Take();
}

TEST(EpisodeWindow, NothingIsRecordedBeforeTheFirstEpisode) {
  EXPECT_TRUE(ReportOf(EpisodeWindow({})).values.empty());
}

TEST(EpisodeWindow, FourEpisodesHaveTheirMeanSpreadAndExtremes) {
  EpisodeWindow window({});
  for (const double reward : {1.0, 3.0, 5.0, 7.0}) window.Add(Of(reward, /*length=*/10));
  window.Add(Of(4, /*length=*/60));
  const Report report = ReportOf(window);
  EXPECT_EQ(report.Get("episode/return_mean"), 4);
  EXPECT_EQ(report.Get("episode/return_std"), 2);  // (9 + 1 + 1 + 9 + 0) / 5 = 4
  EXPECT_EQ(report.Get("episode/return_min"), 1);
  EXPECT_EQ(report.Get("episode/return_max"), 7);
  EXPECT_EQ(report.Get("episode/length_mean"), 20);
}

TEST(EpisodeWindow, StatisticsAreRecordedByTheirNames) {
  EpisodeWindow window({"late", "early"});
  window.Add(Of(0, 1, {1, 10}));
  window.Add(Of(0, 1, {2, 30}));
  const Report report = ReportOf(window);
  EXPECT_EQ(report.Get("episode/stat/late"), 1.5);
  EXPECT_EQ(report.Get("episode/stat/early"), 20);
}

TEST(EpisodeWindow, OnlyTheNewestHundredCount) {
  EpisodeWindow window({});
  for (int i = 0; i < 50; ++i) window.Add(Of(1000, 1));
  for (int i = 0; i < 99; ++i) window.Add(Of(1, 1));
  EXPECT_EQ(ReportOf(window).Get("episode/return_max"), 1000);
  window.Add(Of(1, 1));
  EXPECT_EQ(ReportOf(window).Get("episode/return_max"), 1);
}

TEST(EpisodeWindow, ASavedWindowGoesOnAsTheOriginal) {
  EpisodeWindow original({"late"});
  for (int i = 0; i < 100; ++i) original.Add(Of(i, i, {0.5 * i}));
  EpisodeWindow copy({"late"});
  copy.Add(Of(-5, 1, {9}));
  const std::string bytes = Saved(original);
  ByteReader in(bytes, "saved");
  copy.Load(in);
  in.ExpectEnd();
  for (EpisodeWindow* window : {&original, &copy}) window->Add(Of(7, 7, {7}));
  EXPECT_EQ(ReportOf(copy).values, ReportOf(original).values);
  EXPECT_EQ(ReportOf(copy).Get("episode/return_min"), 1);  // episode 0 made room
}

TEST(EpisodeWindow, EpisodesOfAnotherTaskAreAnError) {
  EpisodeWindow one({"late"}), other({});
  one.Add(Of(1, 1, {1}));
  const std::string bytes = Saved(one);
  ByteReader in(bytes, "saved");
  EXPECT_THROW(other.Load(in), Error);
}

TEST(EpisodeWindow, TruncatedEpisodesAreAnError) {
  EpisodeWindow window({"late"});
  window.Add(Of(1, 1, {1}));
  const std::string bytes = Saved(window);
  ASSERT_FALSE(bytes.empty());
  for (size_t size = 0; size < bytes.size(); ++size) {
    ByteReader in(std::string_view(bytes).substr(0, size), "saved");
    EXPECT_THROW(window.Load(in), Error) << size;
  }
}

TEST(EpisodeWindow, MoreEpisodesThanItHoldsAreAnError) {
  ByteWriter out;
  out.Put<uint64_t>(101);
  for (int i = 0; i < 101; ++i) SaveEpisode(Episode(), out);
  ByteReader in(out.bytes(), "episodes");
  EXPECT_THROW(EpisodeWindow({}).Load(in), Error);
}

}  // namespace
}  // namespace dray
