#include "src/envs/waves/serving/wave_lines.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/base/json_lines.h"
#include "src/envs/waves/agenda.h"
#include "src/routing/clock_time.h"

namespace dray::waves {
namespace {

constexpr double kMinute_s = 60;
constexpr double kMinutesPerDay = 24 * 60;
constexpr char kExample[] =
    R"({"leaves": "11:00", "orders": [{"order": "A17", "place": "clinic", "opens": "11:30", )"
    R"("closes": "13:00", "service": 5, "load": 1}]})";

const Json& Member(const Json& told, const char* of, const char* name) {
  if (const auto found = told.find(name); found != told.end()) return *found;
  throw UsageError("the ", of, " lacks \"", name, "\"; example: ", kExample);
}

Ticks Time(const Json& value, const char* name) {
  std::optional<double> minutes;
  if (value.is_number()) minutes = value.get<double>();
  if (value.is_string()) minutes = ClockMinutes(value.get<std::string>());
  if (!minutes || !(*minutes >= 0 && *minutes <= kMinutesPerDay)) {
    throw UsageError(name, " ", QuotedJson(value),
                     R"(: is not a time of day; write minutes (540) or HH:MM ("09:00"))");
  }
  return static_cast<Ticks>(std::lround(*minutes * kMinute_s));
}

int LoadOf(const Json& told, int capacity) {
  if (!told.contains("load")) return 1;
  const Json& load = told["load"];
  if (load.is_number_integer() && load >= 0 && load <= capacity) return load.get<int>();
  throw UsageError("load ", QuotedJson(load), ": must be a whole number from 0 to ", capacity,
                   ", the capacity of a vehicle");
}

Ticks ServiceOf(const Json& told) {
  if (!told.contains("service")) return 0;
  const Json& service = told["service"];
  if (service.is_number() && service >= 0 && service <= kMinutesPerDay) {
    return static_cast<Ticks>(std::lround(service.get<double>() * kMinute_s));
  }
  throw UsageError("service ", QuotedJson(service), ": must be a number of minutes from 0 to 1440");
}

double InMinutes(int64_t seconds) {
  return std::round(static_cast<double>(seconds) / kMinute_s * 100) / 100;
}

}  // namespace

void WaveLines::AnswerAll(std::istream& in, std::ostream& out) {
  AnswerJsonLines(in, out, [this](const Json& told) { return AnswerJson(told); });
}

std::string WaveLines::Answer(std::string_view line) {
  return AnswerJsonLine(line, [this](const Json& told) { return AnswerJson(told); });
}

Json WaveLines::AnswerJson(const Json& told) {
  if (told.contains("new_day")) {
    if (told["new_day"] != true) throw UsageError("new_day: must be true");
    dispatcher_.BeginDay();
    return {{"new_day", true}};
  }
  const Ticks departure = Time(Member(told, "wave", "leaves"), "leaves");
  std::vector<LiveOrder> orders;
  if (told.contains("orders")) {
    if (!told["orders"].is_array()) {
      throw UsageError("orders: must be a list; example: ", kExample);
    }
    for (const Json& order : told["orders"]) orders.push_back(OrderOf(order));
  }
  return WaveJson(dispatcher_.Dispatch(departure, orders));
}

LiveOrder WaveLines::OrderOf(const Json& told) const {
  if (!told.is_object()) throw UsageError("orders: must be objects; example: ", kExample);
  const Json& name = Member(told, "order", "order");
  if (!name.is_string() && !name.is_number_integer()) {
    throw UsageError("order ", QuotedJson(name), ": must be a name or a whole number");
  }
  LiveOrder order{.name = name.is_string() ? name.get<std::string>() : JsonText(name),
                  .request = {}};
  try {
    order.request.place = PlaceOf(Member(told, "order", "place"));
    order.request.opens = Time(Member(told, "order", "opens"), "opens");
    order.request.closes = Time(Member(told, "order", "closes"), "closes");
    if (order.request.closes < order.request.opens) {
      throw UsageError("closes ", QuotedJson(told["closes"]), ": is before it opens");
    }
    order.request.service = ServiceOf(told);
    order.request.load = LoadOf(told, dispatcher_.instance().capacity);
  } catch (const Error& error) {
    throw UsageError("order ", order.name, ": ", error.what());
  }
  return order;
}

int WaveLines::PlaceOf(const Json& told) const {
  const Instance& instance = dispatcher_.instance();
  if (const auto& names = instance.place_names; !names.empty()) {
    const std::string name = told.is_string() ? told.get<std::string>() : JsonText(told);
    const auto found = std::ranges::find(names, name);
    if (found > names.begin() && found < names.end()) {
      return static_cast<int>(found - names.begin());
    }
    throw UsageError("place ", QuotedJson(told),
                     found == names.end() ? ": not in the file of places" : ": is the depot");
  }
  if (told.is_number_integer() && told >= 1 && told < instance.travel.places()) {
    return told.get<int>();
  }
  throw UsageError("place ", QuotedJson(told), ": must be a whole number from 1 to ",
                   instance.travel.places() - 1);
}

Json WaveLines::PlaceJson(int place) const {
  const auto& names = dispatcher_.instance().place_names;
  return names.empty() ? Json(place) : Json(names[place]);
}

Json WaveLines::RouteJson(const std::vector<int>& route, Ticks departure) const {
  const Day& day = dispatcher_.day();
  const TravelMatrix& travel = day.instance().travel;
  Json stops = Json::array();
  Ticks now = departure;
  int place = 0;
  for (const int id : route) {
    const Request& request = day.arrived()[id - 1];
    now = std::max(now + travel(place, request.place), request.opens);
    stops.push_back({{"order", dispatcher_.NameOf(id)},
                     {"place", PlaceJson(request.place)},
                     {"at", ClockTextOfSeconds(now)}});
    now += request.service;
    place = request.place;
  }
  return {{"stops", stops},
          {"back", ClockTextOfSeconds(now + travel(place, 0))},
          {"driving_min", InMinutes(day.DrivingTime({route}))}};
}

Json WaveLines::WaveJson(const Wave& wave) const {
  const Instance& instance = dispatcher_.instance();
  Json routes = Json::array();
  for (const std::vector<int>& route : wave.routes) {
    routes.push_back(RouteJson(route, wave.departure));
  }
  Json waiting = Json::array();
  const int epoch = dispatcher_.day().epoch();
  for (const Request& request : wave.waiting) {
    const int last = epoch + EpochsToWait(instance, request, epoch);
    waiting.push_back({{"order", dispatcher_.NameOf(request.id)},
                       {"leaves_by", ClockTextOfSeconds(instance.Departure(last))}});
  }
  return {{"leaves", ClockTextOfSeconds(wave.departure)},
          {"routes", routes},
          {"waiting", waiting},
          {"driving_min", InMinutes(dispatcher_.day().DrivingTime(wave.routes))},
          {"driving_today_min", InMinutes(dispatcher_.day().cost())}};
}

}  // namespace dray::waves
