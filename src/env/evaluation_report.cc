#include "src/env/evaluation_report.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/base/student_t.h"
#include "src/env/episode_stats.h"

namespace dray {

namespace {

Spread SpreadOfValues(const std::vector<double>& values) {
  Spread spread;
  const double count = values.size();
  for (const double value : values) spread.mean += value;
  spread.mean /= count;
  for (const double value : values) spread.std += (value - spread.mean) * (value - spread.mean);
  spread.std = count > 1 ? std::sqrt(spread.std / (count - 1)) : 0;
  spread.sem = spread.std / std::sqrt(count);
  spread.ci95 =
      count > 1 ? StudentT975(values.size() - 1) * spread.std / std::sqrt(count) : std::nan("");
  return spread;
}

// `of`: what is looked at of an episode.
template <typename Of>
Spread SpreadBy(const std::vector<Episode>& episodes, const Of& of) {
  std::vector<double> values;
  for (const Episode& episode : episodes) values.push_back(of(episode));
  return SpreadOfValues(values);
}

}  // namespace

double EvaluationReport::mean_return() const { return RewardOf(*this).mean; }

double EvaluationReport::mean_length() const {
  double sum = 0;
  for (const Episode& episode : episodes) sum += static_cast<double>(episode.length);
  return sum / episodes.size();
}

std::string EvaluationReport::ToBytes() const {
  ByteWriter out;
  out.Put(policy_version);
  out.Put<uint64_t>(episodes.size());
  for (const Episode& episode : episodes) SaveEpisode(episode, out);
  out.PutVector(reference_returns);
  out.PutVector(rival_returns);
  return out.Take();
}

EvaluationReport EvaluationReport::FromBytes(std::string_view bytes) {
  ByteReader in(bytes, "an evaluation's report");
  EvaluationReport report;
  report.policy_version = in.Get<int64_t>();
  const auto episodes = in.Get<uint64_t>();
  for (uint64_t i = 0; i < episodes; ++i) report.episodes.push_back(LoadEpisode(in));
  report.reference_returns = in.GetVector<double>();
  report.rival_returns = in.GetVector<double>();
  in.ExpectEnd();
  return report;
}

void EvaluationReport::ExpectOf(const EnvSpec& spec) const {
  const auto is_own = [&](const Episode& episode) {
    return episode.stats.size() == spec.episode_stats.size();
  };
  const size_t compared = reference_returns.size();
  if (policy_version < 0 || episodes.empty() || !std::ranges::all_of(episodes, is_own) ||
      (compared != 0 && compared != episodes.size()) || rival_returns.size() != compared) {
    throw Failure("an evaluation's report is damaged, or not one of ", spec.name);
  }
}

Json Spread::ToJson() const { return {{"mean", mean}, {"std", std}, {"sem", sem}}; }

Spread RewardOf(const EvaluationReport& report) {
  return SpreadBy(report.episodes, [](const Episode& episode) { return episode.total_reward; });
}

Spread GainOf(const EvaluationReport& report) {
  DRAY_CHECK_EQ(report.reference_returns.size(), report.episodes.size());
  std::vector<double> gains;
  for (size_t i = 0; i < report.episodes.size(); ++i) {
    gains.push_back(report.episodes[i].total_reward - report.reference_returns[i]);
  }
  return SpreadOfValues(gains);
}

Spread SpreadOf(const EvaluationReport& report, const EnvSpec& spec, std::string_view stat) {
  const std::optional<size_t> place = StatPlace(spec, stat);
  DRAY_CHECK(place.has_value());
  return SpreadBy(report.episodes,
                  [&](const Episode& episode) { return episode.stats.at(*place); });
}

}  // namespace dray
