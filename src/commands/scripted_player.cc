#include "src/commands/scripted_player.h"

#include <utility>

#include "src/base/error.h"
#include "src/base/rng.h"
#include "src/envs/cage2/cage2.pb.h"
#include "src/envs/cage2/scripted_policies.h"

namespace dray {
namespace {

constexpr size_t kBits = 52;

class ScriptedPlayer : public Player {
 public:
  ScriptedPlayer(std::unique_ptr<cage2::ScriptedPolicy> policy, uint64_t seed)
      : policy_(std::move(policy)), seed_(seed), rng_(seed, RngPurpose::kAction, 0) {}

  void Begin(int index) override {
    policy_->Reset();
    rng_ = Rng(seed_, RngPurpose::kAction, static_cast<uint64_t>(index));
  }

  void Act(const Sight& sight, int32_t& index, std::span<float> /*values*/) override {
    uint64_t bits = 0;
    for (const float bit : sight.observation.first(kBits)) bits = 2 * bits + (bit != 0 ? 1 : 0);
    index = policy_->Act(bits, rng_);
  }

 private:
  std::unique_ptr<cage2::ScriptedPolicy> policy_;
  uint64_t seed_;
  Rng rng_;
};

// What is wrong with a file is said of the file.
std::unique_ptr<cage2::ScriptedPolicy> PolicyNamed(const std::string& policy) {
  if (policy.starts_with("actions:")) return cage2::MakeScriptedPolicy(policy);
  try {
    return cage2::MakeScriptedPolicy(policy);
  } catch (const Error& error) {
    throw Error(error.kind(), Cat("--policy ", policy, ": ", error.what()));
  }
}

}  // namespace

std::unique_ptr<Player> MakeScriptedPlayer(const std::string& policy, Config* config) {
  if (config->env().name() != "cage2") {
    throw UsageError("--policy ", policy, ": scripted policies play cage2, not ",
                     config->env().name(), "; add --env cage2");
  }
  Cage2Config* game = config->mutable_env()->MutableExtension(Cage2Config::cage2);
  game->set_interface(Cage2Config::RAW);
  game->set_mask_useless(false);
  return std::make_unique<ScriptedPlayer>(PolicyNamed(policy), config->evaluation().seed());
}

}  // namespace dray
