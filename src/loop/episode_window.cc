#include "src/loop/episode_window.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"

namespace dray {

void EpisodeWindow::Add(const Episode& episode) {
  DRAY_CHECK_EQ(episode.stats.size(), stat_names_.size());
  episodes_.push_back(episode);
  if (episodes_.size() > kSize) episodes_.pop_front();
}

void EpisodeWindow::RecordInto(Report& report) const {
  if (episodes_.empty()) return;
  const double count = episodes_.size();
  const auto mean_of = [&](auto value) {
    double sum = 0;
    for (const Episode& episode : episodes_) sum += value(episode);
    return sum / count;
  };
  const double mean = mean_of([](const Episode& e) { return e.total_reward; });
  const double variance = mean_of(
      [mean](const Episode& e) { return (e.total_reward - mean) * (e.total_reward - mean); });
  const auto [least, most] = std::ranges::minmax_element(episodes_, {}, &Episode::total_reward);
  report.Record("episode/return_mean", mean);
  report.Record("episode/return_std", std::sqrt(variance));
  report.Record("episode/return_min", least->total_reward);
  report.Record("episode/return_max", most->total_reward);
  report.Record("episode/length_mean",
                mean_of([](const Episode& e) { return static_cast<double>(e.length); }));
  for (size_t i = 0; i < stat_names_.size(); ++i) {
    report.Record("episode/stat/" + stat_names_[i],
                  mean_of([i](const Episode& e) { return e.stats[i]; }));
  }
}

void EpisodeWindow::Save(ByteWriter& out) const {
  out.Put<uint64_t>(episodes_.size());
  for (const Episode& episode : episodes_) SaveEpisode(episode, out);
}

void EpisodeWindow::Load(ByteReader& in) {
  episodes_.clear();
  const auto count = in.Get<uint64_t>();
  if (count > kSize) throw Failure("the saved episodes are damaged: ", count, " of them");
  for (uint64_t i = 0; i < count; ++i) {
    episodes_.push_back(LoadEpisode(in));
    if (episodes_.back().stats.size() != stat_names_.size()) {
      throw Failure("the saved episodes are of another task");
    }
  }
}

}  // namespace dray
