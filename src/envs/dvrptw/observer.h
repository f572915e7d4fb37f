#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "src/env/env.h"
#include "src/envs/dvrptw/day.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/encodings.h"
#include "src/envs/dvrptw/flexibility/beliefs.h"
#include "src/envs/dvrptw/planning/outlook.h"
#include "src/envs/dvrptw/world.h"
#include "src/oracle/insertion.h"

namespace dray::dvrptw {

// Writes what a policy sees of a day, in the encoding env.dvrptw.encoding. One object per thread.
class Observer {
 public:
  // The world must outlive it.
  Observer(const DvrptwConfig& config, const World& world);

  // Sets the sizes of the observation in a spec.
  void Describe(EnvSpec& spec) const;

  // Writes the observation of a day, over or not. Days are const on return: prices are computed
  // with the new request added to the plan for a moment.
  void WriteObservation(Day& day, std::span<const uint8_t> mask, const Beliefs& beliefs,
                        std::span<float> out);
  // Writes the bag of a day that is not over; nothing if the encoding has none.
  void WriteBag(const Day& day, std::span<int16_t> bag) const;

  // Computes what agreeing to each action adds to the plan, in ticks and without patience;
  // PricedInsertion::kImpossible if the request cannot be served then.
  void PriceActions(Day& day, std::span<int64_t> costs);

 private:
  RequestContext ContextOf(Day& day, const TypeBelief& belief);

  const DvrptwConfig config_;
  const World& world_;
  CountsLayout layout_;
  std::unique_ptr<Outlook> outlook_;  // null unless the encoding is outlook
  PricedInsertion insertion_;
};

}  // namespace dray::dvrptw
