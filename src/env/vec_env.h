#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/env/env.h"

namespace dray {

// A batch of plain environments of one kind, stepped one after the other. It handles what they need
// not: the start of the next episode, the final observation, returns and lengths, and the clipping
// of continuous actions to their box. A step allocates nothing unless an episode ends.
class VecEnv : public BatchEnv {
 public:
  // `envs`: at least one, all with the same spec.
  VecEnv(std::vector<std::unique_ptr<Env>> envs, const EnvStreams& streams);

  const EnvSpec& spec() const override { return spec_; }
  int size() const override { return static_cast<int>(members_.size()); }
  void OnRollout(const RolloutContext& context) override;
  void Reset(std::span<float> observations, std::span<uint8_t> masks,
             std::span<int16_t> bags) override;
  void Step(const Actions& actions, const StepSlots& slots) override;
  std::vector<Episode> TakeEpisodes() override;
  std::string Render(int env) const override;
  std::string Frame(int env) const override;

  // Covers environments, random streams, running episodes and those not yet taken. After a Load
  // that throws, load again or Reset before the next Step.
  void Save(ByteWriter& out) const override;
  void Load(ByteReader& in) override;

 private:
  struct Member {
    std::unique_ptr<Env> env;
    Rng rng;
    double total_reward = 0;  // both: running episode
    int64_t length = 0;
  };

  Action ActionOf(const Actions& actions, size_t i);
  void CloseEpisode(size_t i);
  void CheckSizes(const Actions& actions, const StepSlots& slots) const;
  void SaveMember(const Member& member, ByteWriter& out) const;
  void LoadMember(Member& member, ByteReader& in);

  const EnvSpec spec_;
  const size_t observation_size_;
  const size_t mask_size_;  // bytes per environment; 0 if not masked
  std::vector<Member> members_;
  std::vector<Episode> episodes_;
  std::vector<float> clipped_;  // current action, if continuous
};

}  // namespace dray
