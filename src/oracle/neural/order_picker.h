#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/routing/problem.h"

namespace dray {

// The orders of one problem in which its requests are inserted, one after the other: [starts,
// requests].
using Orders = std::vector<int>;

// Says in which orders requests are inserted; the same problem gets the same orders, whatever the
// batch it comes in (on a GPU: to rounding).
class OrderPicker {
 public:
  virtual ~OrderPicker() = default;

  // By problem: the most probable order, then those that begin with another request; once every
  // request has been first, orders drawn at random with fixed seeds. Starts beyond the first of a
  // problem that has but one request are left out.
  virtual std::vector<Orders> Pick(std::span<const Problem* const> problems, int starts) = 0;
  // "cpu" or "cuda"
  virtual std::string device() const = 0;
};

// The noise of random picks: Gumbel numbers for one pick of one start, one by request. A longer row
// begins with the same numbers.
void WriteOrderNoise(int start, int pick, std::span<float> noise);

}  // namespace dray
