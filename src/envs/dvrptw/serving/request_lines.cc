#include "src/envs/dvrptw/serving/request_lines.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/base/json_lines.h"
#include "src/routing/clock_time.h"
#include "src/routing/plan.h"

namespace dray::dvrptw {
namespace {

constexpr double kMinutesPerDay = 24 * 60;

const Json& Member(const Json& told, const char* name) {
  if (const auto found = told.find(name); found != told.end()) return *found;
  throw UsageError("the request lacks \"", name,
                   R"("; example: {"rider": 3, "origin": 12, "destination": 40, )",
                   R"("pickup_early": "09:00", "pickup_late": "09:15", "dropoff_early": "09:20", )",
                   R"("dropoff_late": "09:45"})");
}

// A number below `count`, or one of the names.
int Index(const Json& told, const char* name, int count, const std::vector<std::string>& names) {
  const Json& value = Member(told, name);
  if (!names.empty()) {
    const std::string text = value.is_string() ? value.get<std::string>() : JsonText(value);
    if (const auto found = std::ranges::find(names, text); found != names.end()) {
      return static_cast<int>(found - names.begin());
    }
    throw UsageError(name, " ", QuotedJson(value), ": not in your files");
  }
  if (!value.is_number_integer() || value < 0 || value >= count) {
    throw UsageError(name, " ", QuotedJson(value), ": must be a whole number from 0 to ",
                     count - 1);
  }
  return value.get<int>();
}

Ticks Time(const Json& told, const char* name) {
  const Json& value = Member(told, name);
  std::optional<double> minutes;
  if (value.is_number()) minutes = value.get<double>();
  if (value.is_string()) minutes = ClockMinutes(value.get<std::string>());
  if (!minutes || !(*minutes >= 0 && *minutes <= kMinutesPerDay)) {
    throw UsageError(name, " ", QuotedJson(value),
                     R"(: is not a time of day; write minutes (540) or HH:MM ("09:00"))");
  }
  return static_cast<Ticks>(std::lround(*minutes * kTicksPerMinute));
}

std::string Clock(Ticks ticks) { return ClockText(ticks / kTicksPerMinute); }

bool Truth(const Json& told, const char* name) {
  const Json& value = told[name];
  if (value.is_boolean()) return value.get<bool>();
  throw UsageError(name, " ", QuotedJson(value), ": must be true or false");
}

Json ShiftJson(int action) {
  return {{"pickup_earlier_min", -ShiftOf(action).pickup_min},
          {"dropoff_later_min", ShiftOf(action).dropoff_min}};
}

Json WindowsJson(const Trip& trip) {
  return {{"pickup_early", Clock(trip.pickup_early)},
          {"pickup_late", Clock(trip.pickup_late)},
          {"dropoff_early", Clock(trip.dropoff_early)},
          {"dropoff_late", Clock(trip.dropoff_late)}};
}

}  // namespace

void RequestLines::AnswerAll(std::istream& in, std::ostream& out) {
  AnswerJsonLines(in, out, [this](const Json& told) { return AnswerJson(told); });
}

std::string RequestLines::Answer(std::string_view line) {
  return AnswerJsonLine(line, [this](const Json& told) { return AnswerJson(told); });
}

Json RequestLines::AnswerJson(const Json& told) {
  if (told.contains("new_day")) {
    if (!Truth(told, "new_day")) throw UsageError("new_day false: must be true");
    desk_.BeginDay();
    open_ = false;
    return {{"new_day", true}};
  }
  if (told.size() == 1 && told.contains("agrees")) {
    if (!open_) throw UsageError("agrees: there is no open proposal; send a request first");
    return Agreed(Truth(told, "agrees"));
  }
  if (open_) {
    throw UsageError(R"(the last proposal is unanswered; send {"agrees": true} or false)");
  }
  const bool with_answer = told.contains("agrees");
  const bool agrees = with_answer && Truth(told, "agrees");
  Json answer = AskedFor(told);
  if (with_answer) answer.update(Agreed(agrees));
  return answer;
}

Json RequestLines::AskedFor(const Json& told) {
  const World& world = desk_.world();
  if (desk_.over()) throw UsageError(R"(the day is over; {"new_day": true} starts a new one)");
  const int places = world.city.travel.places();
  Trip trip;
  trip.rider = Index(told, "rider", desk_.customers(), world.rider_names);
  trip.origin = Index(told, "origin", places, world.place_names);
  trip.destination = Index(told, "destination", places, world.place_names);
  trip.pickup_early = Time(told, "pickup_early");
  trip.pickup_late = Time(told, "pickup_late");
  trip.dropoff_early = Time(told, "dropoff_early");
  trip.dropoff_late = Time(told, "dropoff_late");
  if (desk_.HasAsked(trip.rider)) {
    throw UsageError("rider ", QuotedJson(told["rider"]), " has already asked today");
  }
  if (trip.pickup_early > trip.pickup_late || trip.dropoff_early > trip.dropoff_late) {
    throw UsageError(trip.pickup_early > trip.pickup_late ? "pickup" : "dropoff",
                     "_early is later than ",
                     trip.pickup_early > trip.pickup_late ? "pickup" : "dropoff", "_late");
  }
  if (!world.Servable(trip)) {
    throw UsageError("the trip cannot be served from the depot within its times and the day");
  }
  const Proposal proposal = desk_.Ask(trip.rider, trip);
  open_ = true;
  Json propose = ShiftJson(proposal.action);
  propose.update(WindowsJson(Shifted(trip, proposal.action)));
  Json shifts = Json::array();
  for (int action = 0; action < kShiftActions; ++action) {
    const Proposal::Option& option = proposal.options[action];
    Json shift = ShiftJson(action);
    shift["probability"] = std::round(option.probability * 1e6) / 1e6;
    shift["adds_min"] = option.added_min ? Json(*option.added_min) : Json(nullptr);
    shift["allowed"] = option.allowed;
    shifts.push_back(std::move(shift));
  }
  return {{"request", desk_.answered() + 1},
          {"rider", RiderJson(trip.rider)},
          {"action", proposal.action},
          {"propose", propose},
          {"shifts", shifts}};
}

Json RequestLines::Agreed(bool agrees) {
  const bool served = desk_.Answer(agrees);
  open_ = false;
  Json answer = {{"request", desk_.answered()}, {"agreed", agrees}, {"served", served}};
  answer.update(PlanJson());
  answer["day_over"] = desk_.over();
  return answer;
}

Json RequestLines::PlanJson() const {
  const PlannedRequests& planned = desk_.planned();
  const Simulation driven = Simulate(planned.problem, planned.plan);
  DRAY_CHECK(driven.violations.empty());
  Json routes = Json::array();
  for (size_t i = 0; i < driven.routes.size(); ++i) {
    Json stops = Json::array();
    for (const Visit& visit : driven.routes[i]) {
      // Requests are pairs of stops in order: see AddRequest.
      const size_t request = visit.stop / 2;
      stops.push_back({{"at", Clock(visit.start)},
                       {"what", visit.stop % 2 == 0 ? "pickup" : "dropoff"},
                       {"rider", RiderJson(desk_.planned_riders()[request])},
                       {"place", PlaceJson(planned.problem.stops[visit.stop].place)}});
    }
    routes.push_back({{"stops", stops}, {"back", Clock(driven.returns[i])}});
  }
  return {{"cost_min", Minutes(driven.cost.total())},
          {"vehicles", driven.cost.vehicles},
          {"routes", routes}};
}

Json RequestLines::RiderJson(int rider) const {
  const std::vector<std::string>& names = desk_.world().rider_names;
  return names.empty() ? Json(rider) : Json(names[rider]);
}

Json RequestLines::PlaceJson(int place) const {
  const std::vector<std::string>& names = desk_.world().place_names;
  return names.empty() ? Json(place) : Json(names[place]);
}

}  // namespace dray::dvrptw
