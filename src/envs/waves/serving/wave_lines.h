#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "src/base/json_fwd.h"
#include "src/envs/waves/serving/dispatcher.h"

namespace dray::waves {

// Connects a dispatcher to lines of JSON, with one answer for each line:
//   {"leaves": "11:00", "orders": [{"order": "A17", "place": "clinic", "opens": "11:30",
//    "closes": "13:00", "service": 5, "load": 1}]}   the routes that leave then, and what waits
//   {"new_day": true}                                a confirmation; starts a new day
// Orders are those that are new since the wave before. Times are HH:MM, HH:MM:SS or minutes,
// service is in minutes. Places are given by name if the files have names, else by number from 0.
class WaveLines {
 public:
  explicit WaveLines(Dispatcher* dispatcher) : dispatcher_(*dispatcher) {}

  // Answers each line of `in` before reading the next one: see AnswerJsonLines.
  void AnswerAll(std::istream& in, std::ostream& out);
  // Answers one line. A line that cannot be answered gets an "error" and changes nothing.
  std::string Answer(std::string_view line);

 private:
  Json AnswerJson(const Json& told);
  LiveOrder OrderOf(const Json& told) const;
  int PlaceOf(const Json& told) const;
  Json PlaceJson(int place) const;
  Json RouteJson(const std::vector<int>& route, Ticks departure) const;
  Json WaveJson(const Wave& wave) const;

  Dispatcher& dispatcher_;
};

}  // namespace dray::waves
