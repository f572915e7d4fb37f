#pragma once

#include <memory>
#include <vector>

#include "src/env/registry.h"

namespace dray {

// A made-up task with a bag: each step shows two goods of eight (its own); the action says which
// of them is bought, and what was bought stays in the basket (joins) to the episode's end. The
// reward is the good's number, less 1 for each time it is in the basket already. Episodes last 3
// to 6 steps. Beside the bag it shows three numbers drawn at random.
class ShoppingEnv : public BatchEnv {
 public:
  static constexpr int kGoods = 8;

  ShoppingEnv(const EnvStreams& streams, int count);

  const EnvSpec& spec() const override { return spec_; }
  int size() const override { return static_cast<int>(shoppers_.size()); }
  void Reset(std::span<float> observations, std::span<uint8_t> masks,
             std::span<int16_t> bags) override;
  void Step(const Actions& actions, const StepSlots& slots) override;
  std::vector<Episode> TakeEpisodes() override;
  std::string Render(int env) const override;
  void Save(ByteWriter& out) const override;
  void Load(ByteReader& in) override;

 private:
  struct Shopper {
    Rng rng;
    int steps = 0;
    int last_step = 0;
    double total_reward = 0;
    int16_t shown[2] = {};
    int times_bought[kGoods] = {};
  };

  void Begin(Shopper& shopper);
  // What is shown next, and what was bought last (-1: nothing yet).
  void Show(Shopper& shopper, int bought, std::span<float> observation, std::span<int16_t> bag);

  EnvSpec spec_;
  std::vector<Shopper> shoppers_;
  std::vector<Episode> episodes_;
};

std::unique_ptr<BatchEnv> MakeShoppingEnv(const EnvConfig& config, const EnvStreams& streams,
                                          int count);

}  // namespace dray
