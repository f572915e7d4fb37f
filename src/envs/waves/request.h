#pragma once

#include "src/routing/problem.h"

namespace dray::waves {

inline constexpr double kHour_s = 3600;

// An order that arrived during the day. Times are seconds of the day.
struct Request {
  int id = 0;     // counted from 1 in order of arrival; 0: not of a day
  int place = 0;  // row and column of the travel matrix
  Ticks opens = 0;
  Ticks closes = 0;
  Ticks service = 0;
  int load = 0;
  int epoch = 0;  // epoch at whose beginning it arrived
  // The request cannot wait for the next epoch.
  bool must_go = false;

  bool operator==(const Request&) const = default;
};

}  // namespace dray::waves
