#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "src/envs/dvrptw/actions.h"
#include "src/envs/dvrptw/city.h"
#include "src/envs/dvrptw/riders.h"

namespace dray {

// What a policy decides from: the requests so far with their agreed windows and the new one with
// its own. After the last request there is no new one.
struct Negotiation {
  std::span<const Trip> agreed;
  const Trip* asked = nullptr;
};

// S1: a row of six numbers per request, in order of arrival: pickup place, its window, dropoff
// place, its window; places by number, times in days. Rows of requests yet to come are 0.
inline constexpr int kS1Columns = 6;
inline int S1Size(int customers) { return customers * kS1Columns; }
void EncodeS1(const Negotiation& state, int customers, std::span<float> out);

// S2: per request six ones, in a table of [rows, 2]: one row per pickup place, per dropoff place
// and per half hour of each of the four times. Column 0 sums the agreed requests, column 1 is the
// new one.
inline constexpr int kHalfHours = 48;
inline constexpr int kS2Ones = 6;
using S2Indices = std::array<int16_t, kS2Ones>;  // the rows of a request's ones

class S2Layout {
 public:
  explicit S2Layout(int places);

  int rows() const { return 2 * places_ + 4 * kHalfHours; }
  int size() const { return 2 * rows(); }
  S2Indices Indices(const Trip& trip) const;

 private:
  int places_;
};

// What a step's bag (BagSpec) has of the table: the ones of the new request, then those of the
// request that was agreed on before it, or -1 where there is none (null). Bags move, not the table:
// that of step k has the agreed ones up to then and the new ones of k.
inline constexpr int kS2BagSize = 2 * kS2Ones;
void WriteS2Bag(const S2Layout& layout, const Trip& asked, const Trip* agreed,
                std::span<int16_t> bag);

// S3: a token per request (zeros for those yet to come), then numbers about the new request alone:
// the belief about its rider's type and what each action would add to the cost.
inline constexpr int kS3TokenSize = 12;
inline constexpr int kS3ContextSize = 2 + kFlexibilityTypes + kShiftActions;
inline int S3Size(int customers) { return customers * kS3TokenSize + kS3ContextSize; }

// A token is: here (1), new (0 or 1), x and y of pickup and dropoff from the depot (for a city
// without a map: hours from and to the depot), the four times in days, the ride in hours, and how
// far the windows leave the ride apart (shifts widen it), in hours. The context is: share of the
// requests seen, belief, what the request adds to the cost as it is, in hours, and last, for each
// action, what agreeing to it would add beyond that, patience included, in units of 10 minutes.
// What is impossible counts as kImpossible_min.
inline constexpr float kImpossible_min = 100;
struct S3Context {
  std::array<float, kFlexibilityTypes> belief{};
  float added_cost_min = 0;
  std::array<float, kShiftActions> action_cost_min{};
};
// Where a place is, as a token has it: two numbers. Returns what follows them.
float* WritePlace(const City& city, int place, float* out);
void EncodeS3(const City& city, const Negotiation& state, const S3Context& context, int customers,
              std::span<float> out);

}  // namespace dray
