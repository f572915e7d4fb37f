#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/base/bytes.h"
#include "src/base/rng.h"

// The whole contract between Dray and an environment. A new environment implements Env (one
// environment) or BatchEnv (a family that steps many at once, when that is cheaper), and gets one
// line in registry.cc.

namespace dray {

// Either `count` discrete actions 0 ... count - 1, or a box of `low.size()` real values.
struct ActionSpace {
  static ActionSpace Discrete(int count);
  static ActionSpace Box(std::vector<float> low, std::vector<float> high);

  bool discrete() const { return count > 0; }
  // Numbers a network must output: logits, or means.
  int outputs() const { return discrete() ? count : static_cast<int>(low.size()); }

  int count = 0;
  std::vector<float> low;
  std::vector<float> high;
};

// What never changes about an environment.
struct EnvSpec {
  std::string name;
  int observation_size = 0;
  ActionSpace actions;
  int max_episode_steps = 0;
  // Every episode takes exactly max_episode_steps: an epoch is then one episode per environment.
  bool fixed_length = false;
  // Discrete actions may be forbidden, state by state: WriteMask is called after each observation.
  bool masked = false;
  // Names of the further numbers an episode ends with, beside its return and length.
  std::vector<std::string> episode_stats;
};

// One environment's action: `index` when discrete, `values` (already clipped to the box) when
// continuous.
struct Action {
  int32_t index = 0;
  std::span<const float> values;
};

struct Outcome {
  float reward = 0;
  // The task itself ended: there is no future to value.
  bool terminated = false;
  // Only the clock ended it: the future has a value. Both may hold; terminated then decides.
  bool truncated = false;
};

// One environment. Chance comes from the Rng it is handed and from nowhere else; observations go
// straight into memory that the batch owns. After an outcome that ends the episode, Reset is called
// before the next Step.
class Env {
 public:
  virtual ~Env() = default;

  virtual const EnvSpec& spec() const = 0;
  virtual void Reset(Rng& rng, std::span<float> observation) = 0;
  virtual Outcome Step(const Action& action, Rng& rng, std::span<float> observation) = 0;

  // One byte per action, 1 = allowed, at least one of them 1. Only called when spec().masked.
  virtual void WriteMask(std::span<uint8_t> mask) const;
  // spec().episode_stats of the episode that just ended.
  virtual void WriteEpisodeStats(std::span<double> stats) const;
  // The present state for a person to read.
  virtual std::string Render() const = 0;

  // The whole state, so that a loaded copy goes on exactly as the original would.
  virtual void Save(ByteWriter& out) const = 0;
  virtual void Load(ByteReader& in) = 0;
};

// An episode that ended.
struct Episode {
  int env = 0;  // index within the batch
  int64_t length = 0;
  double total_reward = 0;
  std::vector<double> stats;  // as spec().episode_stats
};

void SaveEpisode(const Episode& episode, ByteWriter& out);
Episode LoadEpisode(ByteReader& in);

// The actions of N environments: `indices` [N] when discrete, `values` [N, outputs], as
// drawn, when continuous (the batch clips them to its box).
struct Actions {
  std::span<const int32_t> indices;
  std::span<const float> values;
};

// Where a batch step writes, all of it memory of the caller.
struct StepSlots {
  std::span<float> observations;  // [N, observation_size]: what the next action is chosen from
  std::span<uint8_t> masks;       // [N, actions], or empty when not spec().masked
  std::span<float> rewards;       // [N]
  std::span<uint8_t> terminated;  // [N]
  std::span<uint8_t> truncated;   // [N]
  std::span<float> final_observations;  // [N, observation_size]: row i is written only when episode
                                        // i ended in this step
};

// N environments that are stepped together. When an episode ends, the environment starts its next
// one within the same step: `observations` then holds the first observation of the new episode and
// `final_observations` the last of the old.
class BatchEnv {
 public:
  virtual ~BatchEnv() = default;

  virtual const EnvSpec& spec() const = 0;
  virtual int size() const = 0;
  // Starts an episode in every environment.
  virtual void Reset(std::span<float> observations, std::span<uint8_t> masks) = 0;
  virtual void Step(const Actions& actions, const StepSlots& slots) = 0;
  // The episodes that ended since the last call.
  virtual std::vector<Episode> TakeEpisodes() = 0;
  virtual std::string Render(int env) const = 0;
  virtual void Save(ByteWriter& out) const = 0;
  virtual void Load(ByteReader& in) = 0;
};

// Where the environments of a batch draw their chance from: environment i uses stream first_index +
// i.
struct EnvStreams {
  uint64_t seed = 0;
  RngPurpose purpose = RngPurpose::kEnvironment;
  uint64_t first_index = 0;
};

}  // namespace dray
