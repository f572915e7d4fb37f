#pragma once

#include <array>
#include <span>
#include <vector>

#include "src/envs/dvrptw/flexibility/beliefs.h"
#include "src/envs/dvrptw/planning/futures.h"
#include "src/envs/dvrptw/planning/options.h"

namespace dray::dvrptw {

// Encoding outlook: for each action, its effect on the plan and on riders who have not asked yet,
// relative to no shift; and the state of the day. It looks the same in any city and with any
// riders.
//
// An action has: allowed (1; otherwise all its numbers are 0); in units of 10 minutes what it adds
// to the cost, and what it adds after the plan was improved, including patience; in units of 2
// minutes what a later rider adds to the plan, and to the improved plan; the latter times the
// number of later riders, in units of 20 minutes; slack of the improved plan and of the plain one,
// in units of 10 minutes; in hours the three largest savings of sharing a vehicle with a request of
// the day, then a tenth of their sum; mean saving with later riders, and a tenth of their sum;
// whether it takes a new vehicle; both shifts, in units of 30 minutes; vehicles of the improved
// plan.
inline constexpr int kOutlookActionSize = 18;
// The day has: share of requests seen; vehicles by 5; cost in units of 1,000 minutes; what a later
// rider adds, in units of 30 minutes; start and end of the request (as in tokens), its pickup time
// in days and its ride in hours; the belief about its rider; in hours what it adds unshifted, and
// what it costs alone; whether it takes a new vehicle; by hour of the day, in fifths, the agreed
// requests, the expected ones, and this one.
inline constexpr int kOutlookHours = 24;
inline constexpr int kOutlookContextSize = 4 + 6 + kFlexibilityTypes + 3 + 3 * kOutlookHours;
inline constexpr int kOutlookSize = kShiftActions * kOutlookActionSize + kOutlookContextSize;

// Writes the encoding outlook. One object per thread.
class Outlook {
 public:
  // The world must outlive it.
  Outlook(const World& world, double patience_weight);

  // Writes the observation of a day that is not over.
  void Write(const Day& day, std::span<const uint8_t> mask, const Beliefs& beliefs,
             std::span<float> out);

 private:
  // Effects of an action, in minutes; the savings are in hours.
  struct Prospect {
    double added = 0, improved = 0;
    double next = 0, next_improved = 0;  // added by a later rider
    double slack = 0, slack_improved = 0;
    std::array<double, 6> savings{};
    int vehicles = 0;
    bool new_vehicle = false;
  };

  void DrawNext(const Day& day, const Beliefs& beliefs);
  Prospect ProspectOf(const Day& day, int action);
  std::array<double, 6> SavingsOf(const Day& day, int action) const;
  double MeanPriceOfNext(const Sketch& plan) const;
  float* WriteAction(int action, const Prospect& prospect, const Prospect& unshifted,
                     float* out) const;
  void WriteContext(const Day& day, const TypeBelief& belief, const Prospect& unshifted,
                    float* out) const;

  const World& world_;
  double patience_weight_;
  Options options_;
  Sketch improved_;
  std::vector<int> pending_;
  Future next_;  // sample of requests that may come next
  Future drawn_;
};

}  // namespace dray::dvrptw
