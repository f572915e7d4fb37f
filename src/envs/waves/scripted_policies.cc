#include "src/envs/waves/scripted_policies.h"

#include <algorithm>
#include <vector>

#include "src/base/error.h"
#include "src/base/rng.h"

namespace dray::waves {
namespace {

class Constant : public Player {
 public:
  explicit Constant(int action) : action_(action) {}
  void Begin(int /*first*/, int /*count*/) override {}
  void Act(const Observed& /*observed*/, const ActionSlots& actions) override {
    std::ranges::fill(actions.indices, action_);
  }

 private:
  const int action_;
};

class Random : public Player {
 public:
  explicit Random(uint64_t seed) : seed_(seed) {}
  void Begin(int first, int count) override {
    rngs_.clear();
    for (int i = 0; i < count; ++i) rngs_.emplace_back(seed_, RngPurpose::kAction, first + i);
  }
  void Act(const Observed& /*observed*/, const ActionSlots& actions) override {
    for (size_t i = 0; i < actions.indices.size(); ++i) {
      actions.indices[i] = static_cast<int32_t>(rngs_[i].Below(2));
    }
  }

 private:
  const uint64_t seed_;
  std::vector<Rng> rngs_;
};

}  // namespace

std::unique_ptr<Player> MakeScriptedPolicy(const std::string& name, uint64_t seed) {
  if (name == "greedy") return std::make_unique<Constant>(1);
  if (name == "lazy") return std::make_unique<Constant>(0);
  if (name == "random") return std::make_unique<Random>(seed);
  throw UsageError("--policy ", name, ": expected greedy, lazy or random");
}

}  // namespace dray::waves
