#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/env/env.h"
#include "src/envs/plugin/dray_env.h"
#include "src/envs/plugin/plugin.pb.h"

namespace dray {

// A batch of environments from a shared library. Does what dray_env.h promises to authors: seeds,
// time limits, the start of the next episode, returns and lengths, clipping of actions. What the
// library writes is checked; errors name the library, the environment and the step of its episode.
class PluginEnvs : public BatchEnv {
 public:
  PluginEnvs(const PluginConfig& config, const EnvStreams& streams, int count);

  const EnvSpec& spec() const override { return spec_; }
  int size() const override { return static_cast<int>(members_.size()); }
  void Reset(std::span<float> observations, std::span<uint8_t> masks,
             std::span<int16_t> bags) override;
  void Step(const Actions& actions, const StepSlots& slots) override;
  std::vector<Episode> TakeEpisodes() override;
  std::string Render(int env) const override;

  // If the library cannot save, the actions of running episodes are saved, and Load plays them
  // again. After a Load that throws, load again or Reset before the next Step.
  void Save(ByteWriter& out) const override;
  void Load(ByteReader& in) override;

 private:
  struct Member {
    Rng rng;            // seeds of its episodes
    uint64_t seed = 0;  // the rest: running episode
    double total_reward = 0;
    int64_t length = 0;
    // Actions so far, if the library cannot save; one of the two is used.
    std::vector<int32_t> indices = {};
    std::vector<float> values = {};
  };

  bool saves() const { return table_.save != nullptr; }
  void ResetOne(size_t i, uint64_t seed, std::span<float> observation, std::span<uint8_t> mask);
  void Begin(size_t i, std::span<float> observation, std::span<uint8_t> mask);
  void StepRange(size_t first, const Actions& actions, const StepSlots& slots);
  void Record(size_t i, const Actions& actions);
  void CloseEpisode(size_t i);
  void CheckFlags(const StepSlots& slots) const;
  void CheckMask(size_t i, int64_t step, std::span<const uint8_t> mask) const;
  std::string StateOf(size_t i) const;
  Member ReadMember(ByteReader& in, std::string_view* state) const;
  void Restore(size_t i, const Member& member, std::string_view state);
  void Replay(size_t i, const Member& member);
  Error FailureOf(size_t i, int64_t step, const std::string& what) const;

  const std::string library_;
  const dray_env_table& table_;
  const int first_env_;
  EnvSpec spec_;
  std::unique_ptr<void, void (*)(void*)> batch_;
  std::vector<Member> members_;
  std::vector<Episode> episodes_;
  std::vector<float> clipped_;  // current actions, if continuous
};

}  // namespace dray
