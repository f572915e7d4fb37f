#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/base/bytes.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/flexibility/bayes.h"
#include "src/envs/dvrptw/flexibility/beliefs.h"
#include "src/envs/dvrptw/flexibility/choice_buffer.h"
#include "src/envs/dvrptw/flexibility/flexibility_net.h"
#include "src/nets/adam.h"

namespace dray::dvrptw {

// Result of an update.
struct FlexibilityReport {
  int64_t version = 0;
  int64_t samples = 0;
  int customers = 0;  // riders with samples
  bool trained = false;
  double first_loss = 0;  // mean over the first pass
  double last_loss = 0;   // mean over the last pass
  std::array<int, kFlexibilityTypes> distribution{};
  std::vector<std::string> warnings;

  // Returns lines for the terminal about what changed since `before`; none if nothing did.
  std::vector<std::string> LinesAfter(const FlexibilityReport& before) const;
};

// Learns the riders' hidden types from their answers. Its owner, an actor or a thread, adds choices
// between updates and passes the beliefs on.
class FlexibilityModel {
 public:
  // `noise` is the probability of an answer that contradicts the type, for the exact posterior.
  FlexibilityModel(const FlexibilityConfig& config, int riders, double noise, uint64_t seed);

  void Add(std::span<const Choice> choices);

  // Trains on the buffer (belief: learned) and forms new beliefs.
  FlexibilityReport Update();

  const Beliefs& beliefs() const { return beliefs_; }
  const ChoiceBuffer& buffer() const { return buffer_; }

  // Saves and loads everything: a loaded copy continues exactly like the original.
  void Save(ByteWriter& out) const;
  void Load(ByteReader& in);

 private:
  void Train(FlexibilityReport& report);
  // Trains one pass over the buffer in a new order; returns the mean loss.
  double TrainEpoch(Rng& rng);
  // Takes one gradient step on the choices with these numbers; returns their mean loss.
  double TrainBatch(std::span<const int32_t> numbers);
  std::vector<TypeBelief> LearnedBeliefs();

  const FlexibilityConfig config_;
  const uint64_t seed_;
  ChoiceBuffer buffer_;
  BayesBelief bayes_;  // uses every answer since the start, for belief: bayes
  FlexibilityNet net_;
  Adam adam_;
  Beliefs beliefs_;

  // Reused by the training loop.
  std::vector<int32_t> order_;
  std::vector<int32_t> batch_riders_;  // distinct
  std::vector<int32_t> row_of_rider_;  // -1: not in the batch
  std::vector<int32_t> row_of_sample_;
  std::vector<uint8_t> fitting_;
  std::vector<float> logit_gradients_;
};

}  // namespace dray::dvrptw
