#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/env/env.h"

namespace dray {

// Plays a batch with random allowed actions and owns the memory that the batch writes to.
// Environment i draws its actions from its own stream, as it draws its chance. Before each step the
// memory is poisoned (NaN, 0xCC), so that anything left unwritten shows.
class BatchPlayer {
 public:
  BatchPlayer(std::unique_ptr<BatchEnv> env, const EnvStreams& streams);

  void Reset();
  // Takes random actions, kept in `indices` or `values`.
  void Step();
  void StepWith(const Actions& actions);
  StepSlots Slots();

  bool Ended(size_t i) const { return terminated[i] != 0 || truncated[i] != 0; }
  std::span<const float> ObservationOf(size_t i) const;
  std::span<const float> FinalObservationOf(size_t i) const;
  // Returns everything that environment i wrote in the last step, bit for bit.
  std::string BytesOf(size_t i) const;

  std::string Saved() const;
  void Load(std::string_view bytes);

  std::unique_ptr<BatchEnv> env;
  std::vector<int32_t> indices;
  std::vector<float> values;
  std::vector<float> observations;
  std::vector<uint8_t> masks;
  std::vector<float> rewards;
  std::vector<uint8_t> terminated;
  std::vector<uint8_t> truncated;
  std::vector<float> final_observations;
  std::vector<int16_t> bags;

 private:
  void DrawActions();
  void Poison();

  size_t size_;
  size_t observation_size_;
  std::vector<Rng> action_rngs_;
};

}  // namespace dray
