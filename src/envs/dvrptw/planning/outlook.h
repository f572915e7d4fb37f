#pragma once

#include <array>
#include <span>
#include <vector>

#include "src/envs/dvrptw/flexibility/beliefs.h"
#include "src/envs/dvrptw/planning/futures.h"
#include "src/envs/dvrptw/planning/options.h"

namespace dray {

// S4, what a policy sees that is to see ahead: for each action what it does to the plan and what
// the plan is then worth to riders who have not asked yet, beside the numbers of an action that
// shifts nothing; and the state of the day. A decision shows it the same in any city and with any
// riders.
//
// Of an action: allowed (1; else all its numbers are 0); in units of 10 minutes what it adds to the
// cost, and what once the plan was improved, patience included; in units of 2 minutes what a rider
// to come adds to the plan, and to the improved one; the latter times the riders to come, in units
// of 20 minutes; slack in the improved plan and in the plain one, in units of 10 minutes; in hours
// the three largest savings of sharing a vehicle with a request of the day, then a tenth of their
// sum; the same savings with riders to come, mean and, by 40, sum; whether it takes a new vehicle;
// both shifts, in units of 30 minutes; vehicles of the improved plan.
inline constexpr int kS4ActionSize = 18;
// Of the day: share of requests seen; vehicles, by 5; cost in units of 1,000 minutes; what a rider
// to come adds, in units of 30 minutes; where the request starts and ends (as in S3), its pickup
// time in days and its ride in hours; the belief about its rider; in hours what it adds as asked
// for, and what alone; whether it takes a new vehicle; by hour of the day, in fifths, the requests
// agreed on, those expected, and this one.
inline constexpr int kS4Hours = 24;
inline constexpr int kS4ContextSize = 4 + 6 + kFlexibilityTypes + 3 + 3 * kS4Hours;
inline constexpr int kS4Size = kShiftActions * kS4ActionSize + kS4ContextSize;

// Writes S4. One object per thread.
class Outlook {
 public:
  // The world outlives it.
  Outlook(const DeliveryWorld& world, double patience_weight);

  // Of a day that is not over.
  void Write(const DeliveryDay& day, std::span<const uint8_t> mask, const Beliefs& beliefs,
             std::span<float> out);

 private:
  // What an action comes to, in minutes; the savings in hours.
  struct Prospect {
    double added = 0, improved = 0;
    double next = 0, next_improved = 0;  // what a rider to come adds
    double slack = 0, slack_improved = 0;
    std::array<double, 6> savings{};
    int vehicles = 0;
    bool new_vehicle = false;
  };

  void DrawNext(const DeliveryDay& day, const Beliefs& beliefs);
  Prospect ProspectOf(const DeliveryDay& day, int action);
  std::array<double, 6> SavingsOf(const DeliveryDay& day, int action) const;
  double MeanPriceOfNext(const Sketch& plan) const;
  float* WriteAction(int action, const Prospect& prospect, const Prospect& unshifted,
                     float* out) const;
  void WriteContext(const DeliveryDay& day, const TypeBelief& belief, const Prospect& unshifted,
                    float* out) const;

  const DeliveryWorld& world_;
  double patience_weight_;
  Options options_;
  Sketch improved_;
  std::vector<int> pending_;
  Future next_;  // a sample of requests that may come next
  Future drawn_;
};

}  // namespace dray
