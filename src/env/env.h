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
  // Numbers a network must output: logits, or means.
  int outputs() const { return discrete() ? count : static_cast<int>(low.size()); }

  int count = 0;
  std::vector<float> low;
  std::vector<float> high;
};

// The sparse part of an observation: counts in a table of `width` numbers, nearly all of them 0.
// What moves is indices into it, -1 for none; the network makes the table and sees [counts,
// observation]. An episode's states share what has joined: each step carries only what is new.
struct BagSpec {
  int width = 0;  // 0: there is none
  int own = 0;    // indices per step, first in a row, that count in this step's state alone
  int joining =
      0;  // indices per step, after those, that count from this state to the episode's end

  int indices() const { return own + joining; }
};

// An observation that begins with `count` tokens of `size` numbers, for networks that attend to
// them. A token's first number is 1 when it is there; of one that is not, all numbers are 0.
struct TokenSpec {
  int count = 0;  // 0: no tokens
  int size = 0;
};

// A number that a batch of environments reports for each rollout, beside its episodes.
struct RolloutStat {
  // How several shards' numbers become one. kQuotient: the sum of `part` over the sum of `whole`,
  // two others of them; a shard's own number says as much of that shard alone.
  enum class Over { kSum, kMean, kQuotient };

  std::string name;
  Over over = Over::kSum;
  std::string part = {};
  std::string whole = {};
};

// What never changes about an environment.
struct EnvSpec {
  std::string name;
  int observation_size = 0;
  BagSpec bag = {};
  TokenSpec tokens = {};
  ActionSpace actions = {};
  int max_episode_steps = 0;
  // Every episode takes exactly max_episode_steps: an epoch is then one episode per environment.
  bool fixed_length = false;
  // Discrete actions may be forbidden, state by state: WriteMask is called after each observation.
  bool masked = false;
  // Discrete actions are appraised, state by state: Appraise may be called.
  bool appraises = false;
  // Names of the further numbers an episode ends with, beside its return and length.
  std::vector<std::string> episode_stats = {};
  // Those of them that are also worth following environment by environment: metrics
  // env/<i>/stat/<name>.
  std::vector<std::string> env_stats = {};
  // Likewise for a rollout.
  std::vector<RolloutStat> rollout_stats = {};
  // The one of episode_stats, in %, that says how far the policy is from a reference policy, and in
  // words what it compares: "cost against no shifts". Empty: there is none.
  std::string reference_stat = {};
  std::string reference = {};
  // Number of actors that the task's service (Task::service) wants on a cluster.
  int service_actors = 0;
  // All shards of a process share one service and wait for each other at it: with a thread for each
  // shard, a step of all is one call.
  bool shared_service = false;
  // Render tells of the last step, also of one that ended the episode.
  bool renders_last_step = false;
  // What the user should know before a run: a file that was mended, say.
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
  // Told before each rollout: the share of the run that is done, 0 to 1.
  virtual void OnProgress(double /*progress*/) {}
  virtual void Reset(Rng& rng, std::span<float> observation) = 0;
  virtual Outcome Step(const Action& action, Rng& rng, std::span<float> observation) = 0;

  // One byte per action, 1 = allowed, at least one of them 1. Only called when spec().masked.
  virtual void WriteMask(std::span<uint8_t> mask) const;
  // spec().episode_stats of the episode that just ended.
  virtual void WriteEpisodeStats(std::span<double> stats) const;
  // The present state for a person to read.
  virtual std::string Render() const = 0;
  // The last step as data, for the task's own pictures (Task::draw_episode); empty: none.
  virtual std::string Frame() const { return {}; }

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
// What every saved batch begins with: what it is, and of how many environments. Anything else is an
// Error.
void SaveBatchName(const std::string& name, int count, ByteWriter& out);
void ExpectSavedBatch(const std::string& name, int count, ByteReader& in);
// Those of a batch of `count` environments with this spec; others are an Error.
void SaveEpisodes(const std::vector<Episode>& episodes, ByteWriter& out);
std::vector<Episode> LoadEpisodes(const EnvSpec& spec, int count, ByteReader& in);

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
  std::span<int16_t> bags = {};         // [N, bag.indices()]: as observations
};

// What a run tells its environments before each rollout.
struct RolloutContext {
  // Share of the run that is done, 0 to 1: what schedules follow.
  double progress = 0;
  // What the task's side learner published last, if the task has one; empty: nothing yet.
  std::string_view side_model;
  // Other batches of this process have their rollouts at the same time, each on a thread of its
  // own: one may wait for the others at what they share, until its OnRolloutEnd.
  bool side_by_side = false;
};

// What the environments' calls of their task's service took.
struct ServiceUse {
  double seconds = 0;
  int64_t splits = 0;  // batches that did not fit into memory
};

// N environments that are stepped together. When an episode ends, the environment starts its next
// one within the same step: `observations` then holds the first observation of the new episode and
// `final_observations` the last of the old.
class BatchEnv {
 public:
  virtual ~BatchEnv() = default;

  virtual const EnvSpec& spec() const = 0;
  virtual int size() const = 0;
  // Told before each rollout, and before Reset.
  virtual void OnRollout(const RolloutContext& /*context*/) {}
  // Told after each rollout of a shard, also after one that failed.
  virtual void OnRolloutEnd() {}
  // Starts an episode in every environment; memory as in StepSlots.
  virtual void Reset(std::span<float> observations, std::span<uint8_t> masks,
                     std::span<int16_t> bags) = 0;
  virtual void Step(const Actions& actions, const StepSlots& slots) = 0;
  // What each action is worth in the present state, [N, actions], in units of reward and against
  // any other action of the state: an estimate, with noise but as little bias as can be, that may
  // use what no policy can see. Only called when spec().appraises.
  virtual void Appraise(std::span<float> appraisals);
  // The episodes that ended since the last call.
  virtual std::vector<Episode> TakeEpisodes() = 0;
  // What the side learner learns from, of the steps since the last call.
  virtual std::string TakeSideSamples() { return {}; }
  // spec().rollout_stats of the steps since the last call.
  virtual std::vector<double> TakeRolloutStats() { return {}; }
  // Calls of the task's service in the steps since the last call.
  virtual ServiceUse TakeServiceUse() { return {}; }
  virtual std::string Render(int env) const = 0;
  virtual std::string Frame(int /*env*/) const { return {}; }
  virtual void Save(ByteWriter& out) const = 0;
  virtual void Load(ByteReader& in) = 0;
};

// Where the environments of a batch draw their random numbers from: environment i uses stream
// first_index + i.
struct EnvStreams {
  uint64_t seed = 0;
  RngPurpose purpose = RngPurpose::kEnvironment;
  uint64_t first_index = 0;
};

}  // namespace dray
