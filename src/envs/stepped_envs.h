#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/env.h"

namespace dray {

// Environments for a caller who is not Dray's: a batch with memory of its own, in which the caller
// writes actions and reads all else. Bags are written out: an observation is [counts, numbers].
class SteppedEnvs {
 public:
  // `count` may be what scale.num_envs may be.
  SteppedEnvs(const EnvConfig& config, uint64_t seed, int64_t count);

  const EnvSpec& spec() const { return envs_->spec(); }
  int size() const { return envs_->size(); }
  int observation_size() const { return spec().bag.width + spec().observation_size; }

  // Buffers that stay in place as long as this object lives. Another thread may write to them
  // during a call: no memory outside them is touched.
  std::span<int64_t> action_indices() { return action_indices_; }  // empty when not discrete
  std::span<float> action_values() { return action_values_; }      // empty when discrete
  std::span<float> observations() { return observations_; }
  std::span<uint8_t> masks() { return masks_; }  // empty when not masked
  std::span<float> rewards() { return rewards_; }
  std::span<uint8_t> terminated() { return terminated_; }
  std::span<uint8_t> truncated() { return truncated_; }
  std::span<float> final_observations() { return final_observations_; }

  // The share of a training that is done; counts from the next Reset or Step on.
  void SetProgress(double progress);
  void Reset();
  // Actions that do not exist, or are not finite, are an Error, and nothing has happened. Step,
  // Save and Render want a Reset or a Load before them.
  void Step();
  std::vector<Episode> TakeEpisodes() { return envs_->TakeEpisodes(); }
  std::string Render(int env) const;

  void Save(ByteWriter& out) const;
  // Reads to the end. A state that is refused changes nothing.
  void Load(ByteReader& in);

 private:
  void CheckBegun(const char* what) const;
  // Returns the actions that the caller wrote, checked.
  Actions TakeActions();
  bool HasBag() const { return spec().bag.width > 0; }
  // What the batch writes, as the caller reads it.
  void WriteOut(bool all_new);

  std::unique_ptr<BatchEnv> envs_;
  bool begun_ = false;
  std::vector<int64_t> action_indices_;
  std::vector<float> action_values_;
  // Copies for the step under way: those above may be written to meanwhile.
  std::vector<int32_t> taken_indices_;
  std::vector<float> taken_values_;
  std::vector<float> observations_, final_observations_;
  std::vector<uint8_t> masks_;
  std::vector<float> rewards_;
  std::vector<uint8_t> terminated_, truncated_;
  // With bags alone: what the batch itself writes, and what has joined since an episode began.
  std::vector<float> numbers_, final_numbers_;
  std::vector<int16_t> bags_;
  std::vector<float> joined_;  // [N, width]
};

}  // namespace dray
