#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "src/envs/dvrptw/actions.h"
#include "src/envs/dvrptw/city.h"
#include "src/envs/dvrptw/riders.h"

namespace dray::dvrptw {

// The state a policy decides from: the requests so far with their agreed windows, and the new one
// with its own (null after the last request).
struct Negotiation {
  std::span<const Trip> agreed;
  const Trip* asked = nullptr;
};

// Encoding rows: six numbers per request in order of arrival: pickup place and window, dropoff
// place and window; places by number, times in days. Rows of later requests are 0.
inline constexpr int kRowColumns = 6;
inline int RowsSize(int customers) { return customers * kRowColumns; }
void EncodeRows(const Negotiation& state, int customers, std::span<float> out);

// Encoding counts: six ones per request in a table of [rows, 2], with one row per pickup place, per
// dropoff place and per half hour of each of the four times. Column 0 sums the agreed requests,
// column 1 is the new one.
inline constexpr int kHalfHours = 48;
inline constexpr int kCountsPerRequest = 6;
using CountIndices = std::array<int16_t, kCountsPerRequest>;  // rows of a request's ones

class CountsLayout {
 public:
  explicit CountsLayout(int places);

  int rows() const { return 2 * places_ + 4 * kHalfHours; }
  int size() const { return 2 * rows(); }
  CountIndices Indices(const Trip& trip) const;

 private:
  int places_;
};

// Writes a step's part of the table as a bag (BagSpec): the ones of the new request, then those of
// the request agreed on before it, or -1 if there is none (null). Only bags are sent: the table of
// step k is the sum of the agreed ones so far and the new ones of step k.
inline constexpr int kCountsBagSize = 2 * kCountsPerRequest;
void WriteCountsBag(const CountsLayout& layout, const Trip& asked, const Trip* agreed,
                    std::span<int16_t> bag);

// Encoding tokens: a token per request (zeros for later ones), then the context of the new request:
// the belief about its rider's type and what each action would add to the cost.
inline constexpr int kTokenSize = 12;
inline constexpr int kTokenContextSize = 2 + kFlexibilityTypes + kShiftActions;
inline int TokensSize(int customers) { return customers * kTokenSize + kTokenContextSize; }

// A token has: present (1), new (0 or 1), x and y of pickup and dropoff from the depot (in a city
// without coordinates: hours from and to the depot), the four times in days, the ride in hours, and
// the slack between the windows in hours (shifts widen it). The context has: share of the requests
// seen, belief, cost of the request as it is in hours, and for each action the additional cost if
// it is agreed to, including patience, in units of 10 minutes. Impossible actions count as
// kImpossible_min.
inline constexpr float kImpossible_min = 100;
struct RequestContext {
  std::array<float, kFlexibilityTypes> belief{};
  float added_cost_min = 0;
  std::array<float, kShiftActions> action_cost_min{};
};
// Writes the two numbers that describe a place in a token; returns the end.
float* WritePlace(const City& city, int place, float* out);
void EncodeTokens(const City& city, const Negotiation& state, const RequestContext& context,
                  int customers, std::span<float> out);

}  // namespace dray::dvrptw
