#include "src/nets/policy.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "src/base/counts.h"
#include "src/base/error.h"
#include "src/nets/kernels.h"
#include "src/nets/make_cpu_net.h"
#include "src/nets/memory.h"

namespace dray {

std::string PolicyWeights::ToBytes() const {
  ByteWriter out;
  out.Put(version);
  out.PutVector(actor);
  out.PutVector(log_std);
  out.PutVector(scaling.mean);
  out.PutVector(scaling.scale);
  out.Put(scaling.clip);
  return out.Take();
}

PolicyWeights PolicyWeights::FromBytes(std::string_view bytes) {
  ByteReader in(bytes, "a policy's weights");
  PolicyWeights weights;
  weights.version = in.Get<int64_t>();
  weights.actor = in.GetVector<float>();
  weights.log_std = in.GetVector<float>();
  weights.scaling.mean = in.GetVector<float>();
  weights.scaling.scale = in.GetVector<float>();
  weights.scaling.clip = in.Get<float>();
  in.ExpectEnd();
  // Written so that NaN fails too.
  if (!IsCount(weights.version) || !(weights.scaling.clip >= 0)) {
    throw Failure("a policy's weights are damaged: version ", weights.version,
                  ", observations clipped at ", weights.scaling.clip);
  }
  return weights;
}

Policy::Policy(const EnvSpec& spec, const NetworkConfig& config)
    : observation_size_(WithMemory(spec, config).observation_size),
      memory_(WithMemory(spec, config).memory),
      bag_(spec.bag),
      net_(MakeCpuNet(WithMemory(spec, config), config, NetRole::kActor)),
      first_layer_(LayerSizes(spec, config, spec.actions.outputs())[1]) {
  weights_.actor.resize(net_->parameter_count());
  weights_.log_std.resize(spec.actions.discrete() ? 0 : spec.actions.outputs());
}

void Policy::Load(std::string_view bytes) {
  PolicyWeights weights = PolicyWeights::FromBytes(bytes);
  const auto scaled = std::ssize(weights.scaling.mean);
  if (weights.actor.size() != weights_.actor.size() ||
      weights.log_std.size() != weights_.log_std.size() ||
      (scaled != 0 && scaled != observation_size_) ||
      weights.scaling.scale.size() != weights.scaling.mean.size()) {
    throw Failure("these weights belong to another network: ", weights.actor.size(),
                  " parameters where ", weights_.actor.size(),
                  " were expected; use the config they were trained with");
  }
  weights_ = std::move(weights);
}

void Policy::AddWeights(std::span<const int16_t> indices, std::span<float> sum) {
  indices_.clear();
  std::ranges::copy_if(indices, std::back_inserter(indices_), [](int16_t i) { return i >= 0; });
  for (const int32_t index : indices_) DRAY_CHECK_LT(index, bag_.width);
  AddTableRows(weights_.actor.data(), indices_, sum);
}

void Policy::Resume(std::span<const std::vector<int16_t>> joined) {
  remembered_.assign(joined.size() * memory_, 0.0f);
  for (size_t row = 0; memory_ > 0 && row < joined.size(); ++row) BeginEpisode(row);
  if (bag_.width == 0) return;
  const size_t width = first_layer_;
  joined_sums_.assign(joined.size() * width, 0.0f);
  for (size_t row = 0; row < joined.size(); ++row) {
    AddWeights(joined[row], std::span(joined_sums_).subspan(row * width, width));
  }
}

void Policy::BeginEpisode(size_t row) {
  if (memory_ > 0) {
    std::fill_n(remembered_.begin() + row * memory_, memory_ - 1, 0.0f);
    remembered_[(row + 1) * memory_ - 1] = 1;
  }
  if (bag_.width == 0) return;
  const size_t width = first_layer_;
  std::ranges::fill(std::span(joined_sums_).subspan(row * width, width), 0.0f);
}

std::span<const float> Policy::BagSums(std::span<const int16_t> bags) {
  if (bag_.width == 0) return {};
  const size_t width = first_layer_;
  const size_t indices = bag_.indices(), own = bag_.own;
  const size_t rows = bags.size() / indices;
  DRAY_CHECK_EQ(joined_sums_.size(), rows * width);
  for (size_t row = 0; row < rows; ++row) {
    AddWeights(bags.subspan(row * indices + own, indices - own),
               std::span(joined_sums_).subspan(row * width, width));
  }
  bag_sums_ = joined_sums_;
  for (size_t row = 0; row < rows; ++row) {
    AddWeights(bags.subspan(row * indices, own), std::span(bag_sums_).subspan(row * width, width));
  }
  return bag_sums_;
}

std::span<const float> Policy::Outputs(std::span<const float> observations,
                                       std::span<const int16_t> bags) {
  if (weights_.scaling.active()) {
    scaled_.resize(observations.size());
    weights_.scaling.Apply(observations, scaled_);
    observations = scaled_;
  }
  const int64_t rows = bag_.width > 0 ? std::ssize(bags) / bag_.indices()
                                      : std::ssize(observations) / observation_size_;
  const auto outputs = net_->Forward(weights_.actor, {.rows = rows,
                                                      .numbers = observations,
                                                      .bags = {.width = bag_.width},
                                                      .bag_sums = BagSums(bags)});
  if (memory_ == 0) return outputs;
  remembered_.assign(rows * memory_, 0.0f);
  for (int64_t row = 0; row < rows; ++row) {
    std::copy_n(net_->memory().begin() + row * (memory_ - 1), memory_ - 1,
                remembered_.begin() + row * memory_);
  }
  return outputs;
}

void Policy::AddMemory(std::span<float> rows) const {
  if (memory_ == 0) return;
  const size_t width = observation_size_, seen = width - memory_;
  // From the last row, so that none is overwritten before it has moved.
  for (size_t row = rows.size() / width; row-- > 0;) {
    float* const to = rows.data() + row * width;
    std::memmove(to, rows.data() + row * seen, seen * sizeof(float));
    std::copy_n(remembered_.begin() + row * memory_, memory_, to + seen);
  }
}

std::span<const float> Policy::Follow(std::span<const float> observations,
                                      std::span<const int16_t> bags) {
  if (memory_ == 0) return Outputs(observations, bags);
  const size_t rows = observations.size() / (observation_size_ - memory_);
  if (remembering() != rows) Resume(std::vector<std::vector<int16_t>>(rows));
  rows_.assign(rows * observation_size_, 0.0f);
  std::ranges::copy(observations, rows_.begin());
  AddMemory(rows_);
  return Outputs(rows_, bags);
}

}  // namespace dray
