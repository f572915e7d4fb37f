#include "src/rollout/rollout_summary.h"

#include "src/base/bytes.h"

namespace dray {

std::string RolloutSummary::ToBytes() const {
  ByteWriter out;
  out.Put(origin);
  out.Put(steps);
  out.Put(weights_loaded_unix_s);
  out.Put<uint64_t>(episodes.size());
  for (const Episode& episode : episodes) SaveEpisode(episode, out);
  out.PutString(side_samples);
  out.Put<uint64_t>(metrics.values.size());
  for (const auto& [name, value] : metrics.values) {
    out.PutString(name);
    out.Put(value);
  }
  return out.Take();
}

RolloutSummary RolloutSummary::FromBytes(std::string_view bytes) {
  ByteReader in(bytes, "the summary of a rollout");
  RolloutSummary summary;
  summary.origin = in.Get<BatchOrigin>();
  summary.steps = in.Get<int64_t>();
  summary.weights_loaded_unix_s = in.Get<double>();
  const auto episodes = in.Get<uint64_t>();
  for (uint64_t i = 0; i < episodes; ++i) summary.episodes.push_back(LoadEpisode(in));
  summary.side_samples = in.GetString();
  const auto values = in.Get<uint64_t>();
  for (uint64_t i = 0; i < values; ++i) {
    std::string name = in.GetString();
    summary.metrics.values.emplace_back(std::move(name), in.Get<double>());
  }
  in.ExpectEnd();
  return summary;
}

}  // namespace dray
