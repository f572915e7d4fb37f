#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/bytes.h"
#include "src/base/rng.h"

// The whole contract between Dray and an environment. A new environment implements Env (one
// environment) or BatchEnv (a family that steps many at once, when that is cheaper), and gets one
// line in src/envs/envs.bzl.

namespace dray {

// Either `count` discrete actions 0 ... count - 1, or a box of `low.size()` real values.
struct ActionSpace {
  static ActionSpace Discrete(int count);
  static ActionSpace Box(std::vector<float> low, std::vector<float> high);

  bool discrete() const { return count > 0; }
  // Number of network outputs: logits or means.
  int outputs() const { return discrete() ? count : static_cast<int>(low.size()); }

  int count = 0;
  std::vector<float> low;
  std::vector<float> high;
};

// The sparse part of an observation: counts in a table of `width` numbers, nearly all of them 0.
// Only indices into it are passed around (-1: none); the network builds the table and sees [counts,
// observation]. States of an episode share what has joined: each step carries only what is new.
struct BagSpec {
  int width = 0;  // 0: there is none
  int own = 0;    // indices per step, first in a row, that count in this step's state alone
  int joining =
      0;  // indices per step, after those, that count from this state to the episode's end

  int indices() const { return own + joining; }
};

// An observation that begins with `count` tokens of `size` numbers, for networks with attention.
// The first number of a token is 1 if the token is present; all numbers of an absent one are 0.
struct TokenSpec {
  int count = 0;  // 0: no tokens
  int size = 0;
};

// A number that a batch of environments reports for each rollout, beside its episodes.
struct RolloutStat {
  // How the numbers of several shards become one. kQuotient: the sum of the statistic `part`
  // divided by the sum of the statistic `whole`; a shard reports the quotient of its own two.
  enum class Over { kSum, kMean, kQuotient };

  std::string name;
  Over over = Over::kSum;
  std::string part = {};
  std::string whole = {};
};

// Constant properties of an environment.
struct EnvSpec {
  std::string name;
  int observation_size = 0;
  // Numbers at the end of an observation that the policy adds (nets/memory.h).
  int memory = 0;
  BagSpec bag = {};
  TokenSpec tokens = {};
  ActionSpace actions = {};
  int max_episode_steps = 0;
  // Every episode takes exactly max_episode_steps, so that an epoch is one episode per environment.
  bool fixed_length = false;
  int RolloutSteps(int configured) const { return fixed_length ? max_episode_steps : configured; }
  // What follows the tokens ends with a number per action, its price.
  bool has_prices() const {
    return tokens.count > 0 && actions.discrete() &&
           observation_size - tokens.count * tokens.size >= actions.count;
  }
  // Discrete actions may be forbidden, state by state: WriteMask is called after each observation.
  bool masked = false;
  // Discrete actions are appraised, state by state: Appraise may be called.
  bool appraises = false;
  // Names of the statistics of an episode, beside its return and length.
  std::vector<std::string> episode_stats = {};
  // Subset of episode_stats that is also reported per environment: metrics env/<i>/stat/<name>.
  std::vector<std::string> env_stats = {};
  // Statistics of a rollout.
  std::vector<RolloutStat> rollout_stats = {};
  // Number of actors that the task's service (Task::service) wants on a cluster.
  int service_actors = 0;
  // All shards of a process share one service and wait for each other at it: with a thread for each
  // shard, a step of all is one call.
  bool shared_service = false;
  // Render describes the last step, even if it ended the episode.
  bool renders_last_step = false;
  // Notes for the user before a run, such as a file that was corrected.
  std::vector<std::string> notes = {};
};

// One environment's action: `index` when discrete, `values` (already clipped to the box) when
// continuous.
struct Action {
  int32_t index = 0;
  std::span<const float> values;
};

struct Outcome {
  float reward = 0;
  // The task itself ended: there is no future to estimate.
  bool terminated = false;
  // The time limit ended it: the future has a value. If both hold, terminated decides.
  bool truncated = false;
};

// One environment. All randomness comes from the Rng passed in; observations are written straight
// into memory that the batch owns. After an outcome that ends the episode, Reset is called before
// the next Step.
class Env {
 public:
  virtual ~Env() = default;

  virtual const EnvSpec& spec() const = 0;
  // Called before each rollout with the share of the run that is done, 0 to 1.
  virtual void OnProgress(double /*progress*/) {}
  virtual void Reset(Rng& rng, std::span<float> observation) = 0;
  virtual Outcome Step(const Action& action, Rng& rng, std::span<float> observation) = 0;

  // Writes one byte per action, 1 = allowed; at least one must be. Only called if spec().masked.
  virtual void WriteMask(std::span<uint8_t> mask) const;
  // Writes spec().episode_stats of the episode that just ended.
  virtual void WriteEpisodeStats(std::span<double> stats) const;
  // Returns the current state as text for a person.
  virtual std::string Render() const = 0;
  // Returns the last step as data for the task's pictures (Task::draw_episode); empty: none.
  virtual std::string Frame() const { return {}; }

  // Saves and loads the whole state: a loaded copy continues exactly as the original would.
  virtual void Save(ByteWriter& out) const = 0;
  virtual void Load(ByteReader& in) = 0;
};

// An episode that ended.
struct Episode {
  int env = 0;  // index within the batch
  int64_t length = 0;
  double total_reward = 0;
  std::vector<double> stats;  // values of spec().episode_stats
};

void SaveEpisode(const Episode& episode, ByteWriter& out);
Episode LoadEpisode(ByteReader& in);
// Writes and checks the head of a saved batch: its name and number of environments. A different
// head is an Error.
void SaveBatchName(const std::string& name, int count, ByteWriter& out);
void ExpectSavedBatch(const std::string& name, int count, ByteReader& in);
// Saves and loads the episodes of a batch of `count` environments with this spec; episodes that do
// not fit it are an Error.
void SaveEpisodes(const std::vector<Episode>& episodes, ByteWriter& out);
std::vector<Episode> LoadEpisodes(const EnvSpec& spec, int count, ByteReader& in);

// Actions of N environments: `indices` [N] if discrete; `values` [N, outputs] if continuous, as
// drawn (the batch clips them to its box).
struct Actions {
  std::span<const int32_t> indices;
  std::span<const float> values;
};

// Output of a batch step, in memory of the caller.
struct StepSlots {
  std::span<float> observations;        // [N, observation_size]: input of the next action
  std::span<uint8_t> masks;             // [N, actions], or empty when not spec().masked
  std::span<float> rewards;             // [N]
  std::span<uint8_t> terminated;        // [N]
  std::span<uint8_t> truncated;         // [N]
  std::span<float> final_observations;  // [N, observation_size]: row i is written only when episode
                                        // i ended in this step
  std::span<int16_t> bags = {};         // [N, bag.indices()], belonging to observations
};

// Information for the environments before each rollout.
struct RolloutContext {
  // Share of the run that is done, 0 to 1; schedules follow it.
  double progress = 0;
  // Newest model published by the task's side learner; empty: none yet, or no side learner.
  std::string_view side_model;
  // Other batches of this process run their rollouts at the same time, each on its own thread: a
  // batch may wait for the others at what they share, until its OnRolloutEnd.
  bool side_by_side = false;
};

// Cost of the environments' calls of their task's service.
struct ServiceUse {
  double seconds = 0;
  int64_t splits = 0;  // batches that did not fit into memory
};

// N environments that are stepped together. When an episode ends, its environment starts the next
// one within the same step: `observations` then holds the first observation of the new episode and
// `final_observations` the last of the old.
class BatchEnv {
 public:
  virtual ~BatchEnv() = default;

  virtual const EnvSpec& spec() const = 0;
  virtual int size() const = 0;
  // Called before each rollout, and before Reset.
  virtual void OnRollout(const RolloutContext& /*context*/) {}
  // Called after each rollout of a shard, even if it failed.
  virtual void OnRolloutEnd() {}
  // Starts an episode in every environment; arguments as in StepSlots.
  virtual void Reset(std::span<float> observations, std::span<uint8_t> masks,
                     std::span<int16_t> bags) = 0;
  virtual void Step(const Actions& actions, const StepSlots& slots) = 0;
  // Estimates the value of each action in the current state, [N, actions], in units of reward and
  // relative to the other actions of that state. It may be noisy but should have little bias, and
  // may use what no policy can see. Only called if spec().appraises.
  virtual void Appraise(std::span<float> appraisals);
  // Returns the episodes that ended since the last call.
  virtual std::vector<Episode> TakeEpisodes() = 0;
  // Returns the samples for the side learner from the steps since the last call.
  virtual std::string TakeSideSamples() { return {}; }
  // Returns spec().rollout_stats of the steps since the last call.
  virtual std::vector<double> TakeRolloutStats() { return {}; }
  // Returns the use of the task's service in the steps since the last call.
  virtual ServiceUse TakeServiceUse() { return {}; }
  virtual std::string Render(int env) const = 0;
  virtual std::string Frame(int /*env*/) const { return {}; }
  virtual void Save(ByteWriter& out) const = 0;
  virtual void Load(ByteReader& in) = 0;
};

// Random streams of a batch: environment i draws from stream first_index + i.
struct EnvStreams {
  uint64_t seed = 0;
  RngPurpose purpose = RngPurpose::kEnvironment;
  uint64_t first_index = 0;
};

}  // namespace dray
