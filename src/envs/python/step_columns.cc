#include "src/envs/python/step_columns.h"

#include "src/base/error.h"
#include "src/base/json.h"

namespace dray {
namespace {

constexpr size_t kAlignment = 64;

template <typename T>
size_t PaddedBytes(size_t count) {
  return (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

template <typename Visit>
void StepColumns::ForEach(const Visit& visit) {
  const size_t observation = rows_ * spec_.observation_size;
  visit("at", at, 1);
  if (spec_.actions.discrete()) {
    visit("actions", action_indices, rows_);
  } else {
    visit("actions", action_values, rows_ * spec_.actions.low.size());
  }
  visit("observations", observations, observation);
  visit("final_observations", final_observations, observation);
  visit("masks", masks, spec_.masked ? rows_ * spec_.actions.count : 0);
  visit("rewards", rewards, rows_);
  visit("terminated", terminated, rows_);
  visit("truncated", truncated, rows_);
  visit("stats", stats, rows_ * spec_.episode_stats.size());
}

StepColumns::StepColumns(const EnvSpec& spec, int rows) : spec_(spec), rows_(rows) {
  ForEach([this]<typename T>(const char*, std::span<T>&, size_t count) {
    bytes_ += PaddedBytes<T>(count);
  });
}

Json StepColumns::Offsets() const {
  Json offsets = Json::object();
  size_t offset = 0;
  StepColumns copy = *this;
  copy.ForEach([&]<typename T>(const char* name, std::span<T>&, size_t count) {
    offsets[name] = offset;
    offset += PaddedBytes<T>(count);
  });
  return offsets;
}

void StepColumns::Bind(std::span<std::byte> memory) {
  DRAY_CHECK_GE(memory.size(), bytes_);
  ForEach([&]<typename T>(const char*, std::span<T>& column, size_t count) {
    column = {reinterpret_cast<T*>(memory.data()), count};
    memory = memory.subspan(PaddedBytes<T>(count));
  });
}

}  // namespace dray
