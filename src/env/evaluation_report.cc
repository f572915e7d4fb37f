#include "src/env/evaluation_report.h"

#include <cmath>

#include "src/base/error.h"
#include "src/base/student_t.h"
#include "src/env/episode_stats.h"

namespace dray {

double EvaluationReport::mean_return() const {
  double sum = 0;
  for (const Episode& episode : episodes) sum += episode.total_reward;
  return sum / static_cast<double>(episodes.size());
}

double EvaluationReport::std_return() const {
  if (episodes.size() < 2) return 0;
  const double mean = mean_return();
  double sum = 0;
  for (const Episode& episode : episodes)
    sum += (episode.total_reward - mean) * (episode.total_reward - mean);
  return std::sqrt(sum / static_cast<double>(episodes.size() - 1));
}

double EvaluationReport::ci95_return() const {
  if (episodes.size() < 2) return std::nan("");
  return StudentT975(episodes.size() - 1) * std_return() /
         std::sqrt(static_cast<double>(episodes.size()));
}

double EvaluationReport::mean_length() const {
  double sum = 0;
  for (const Episode& episode : episodes) sum += static_cast<double>(episode.length);
  return sum / static_cast<double>(episodes.size());
}

std::string EvaluationReport::ToBytes() const {
  ByteWriter out;
  out.Put(policy_version);
  out.Put<uint64_t>(episodes.size());
  for (const Episode& episode : episodes) SaveEpisode(episode, out);
  return out.Take();
}

EvaluationReport EvaluationReport::FromBytes(std::string_view bytes) {
  ByteReader in(bytes, "an evaluation's report");
  EvaluationReport report;
  report.policy_version = in.Get<int64_t>();
  const auto episodes = in.Get<uint64_t>();
  for (uint64_t i = 0; i < episodes; ++i) report.episodes.push_back(LoadEpisode(in));
  in.ExpectEnd();
  return report;
}

Json Spread::ToJson() const { return {{"mean", mean}, {"std", std}, {"sem", sem}}; }

Spread SpreadOf(const EvaluationReport& report, const EnvSpec& spec, std::string_view stat) {
  const std::optional<size_t> place = StatPlace(spec, stat);
  DRAY_CHECK(place.has_value());
  const auto of = [&](const Episode& episode) { return episode.stats.at(*place); };
  Spread spread;
  const auto count = static_cast<double>(report.episodes.size());
  for (const Episode& episode : report.episodes) spread.mean += of(episode);
  spread.mean /= count;
  for (const Episode& episode : report.episodes) {
    spread.std += (of(episode) - spread.mean) * (of(episode) - spread.mean);
  }
  spread.std = count > 1 ? std::sqrt(spread.std / (count - 1)) : 0;
  spread.sem = spread.std / std::sqrt(count);
  return spread;
}

}  // namespace dray
