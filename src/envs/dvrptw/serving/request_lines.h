#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

#include "src/base/json_fwd.h"
#include "src/envs/dvrptw/serving/desk.h"

namespace dray {

// A desk that is spoken to in lines of JSON, one answer for each:
//   {"rider": 3, "origin": 12, "destination": 40, "pickup_early": "09:00", "pickup_late": "09:15",
//    "dropoff_early": "09:20", "dropoff_late": "09:45"}   what to propose, and the odds and prices
//                                                         of all shifts
//   {"agrees": true}                                      the plan as it is now
//   {"new_day": true}                                     nobody has asked yet
// A request that has "agrees" in it is answered with both. Times are HH:MM or minutes; riders and
// places go by their names where the user's files have such, else by their numbers, from 0.
class RequestLines {
 public:
  explicit RequestLines(DeliveryDesk* desk) : desk_(*desk) {}

  // Longest line that is read, in bytes without its end.
  static constexpr size_t kMostLine = 1 << 20;

  // Answers each line of `in` before the next one is read, until `in` ends or nobody reads `out`.
  // Blank lines are skipped; a line longer than kMostLine is answered with an "error".
  void AnswerAll(std::istream& in, std::ostream& out);

  // Answers one line, without its end. What cannot be answered has an "error", and changes nothing.
  std::string Answer(std::string_view line);

 private:
  Json AnswerJson(const Json& told);
  Json AskedFor(const Json& told);
  Json Agreed(bool agrees);
  Json PlanJson() const;
  Json RiderJson(int rider) const;
  Json PlaceJson(int place) const;

  DeliveryDesk& desk_;
  bool open_ = false;  // a proposal waits for its answer
};

}  // namespace dray
