#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

#include "src/base/json_fwd.h"
#include "src/envs/dvrptw/serving/desk.h"

namespace dray::dvrptw {

// Connects a desk to lines of JSON, with one answer for each line:
//   {"rider": 3, "origin": 12, "destination": 40, "pickup_early": "09:00", "pickup_late": "09:15",
//    "dropoff_early": "09:20", "dropoff_late": "09:45"}   the proposal, and probability and price
//    of
//                                                         every shift
//   {"agrees": true}                                      the updated plan
//   {"new_day": true}                                     a confirmation; starts a new day
// A request that contains "agrees" is answered with both. Times are HH:MM or minutes. Riders and
// places are given by name if the user's files have names, otherwise by number from 0.
class RequestLines {
 public:
  explicit RequestLines(Desk* desk) : desk_(*desk) {}

  // Answers each line of `in` before reading the next one: see AnswerJsonLines.
  void AnswerAll(std::istream& in, std::ostream& out);

  // Answers one line, given without its end. A line that cannot be answered gets an "error" and
  // changes nothing.
  std::string Answer(std::string_view line);

 private:
  Json AnswerJson(const Json& told);
  Json AskedFor(const Json& told);
  Json Agreed(bool agrees);
  Json PlanJson() const;
  Json RiderJson(int rider) const;
  Json PlaceJson(int place) const;

  Desk& desk_;
  bool open_ = false;  // a proposal waits for its answer
};

}  // namespace dray::dvrptw
