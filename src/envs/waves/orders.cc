#include "src/envs/waves/orders.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/config/user_path.h"
#include "src/envs/waves/instances.h"
#include "src/routing/clock_time.h"
#include "src/routing/csv_table.h"
#include "src/routing/place_finder.h"
#include "src/routing/places.h"
#include "src/routing/text_file.h"
#include "src/routing/travel_minutes.h"

namespace dray::waves {
namespace {

constexpr int kMinute_s = 60;
constexpr int kTick_s = kMinute_s / kTicksPerMinute;  // of a matrix of travel times
constexpr int kDay_min = 24 * 60;
constexpr size_t kMostDays = 10'000;

const std::vector<CsvColumn> kColumns = {
    {.name = "day", .required = false},
    {.name = "ordered", .aliases = {"ordered_min"}},
    {.name = "place"},
    {.name = "opens", .aliases = {"opens_min"}},
    {.name = "closes", .aliases = {"closes_min"}},
    {.name = "service", .required = false, .aliases = {"service_min"}},
    {.name = "load", .required = false, .aliases = {"demand"}}};

OrderFiles::File FileOf(const std::string& setting, const char* name) {
  if (setting.empty()) return {};
  if (IsText(setting)) return {Cat("env.waves.", name), setting};
  return {setting, ReadFile(UserPath(setting))};
}

// An order of a line; epochs are not known before all lines are.
struct Order {
  int day = 0;
  int line = 0;
  int known = 0;  // first epoch that begins after it was ordered
  Ticks ordered = 0;
  Request request;
};

class OrderReader {
 public:
  OrderReader(const TextFile& file, const Instance& instance, const PlaceTable* places)
      : file_(file),
        instance_(instance),
        finder_(instance.travel, places),
        table_(file, kColumns) {}

  std::vector<Order> Read() {
    if (table_.rows() == 0) {
      throw file_.Wrong(file_.end(), "ordered", "there is no order; add a line for each");
    }
    std::vector<Order> orders;
    for (size_t row = 0; row < table_.rows(); ++row) orders.push_back(OrderOf(row));
    return orders;
  }

  int days() const { return std::ssize(day_of_); }

  // Throws an Error if no vehicle can serve the request even alone.
  void CheckReach(const Order& order) const {
    const Request& request = order.request;
    const Ticks leaves = instance_.Departure(request.epoch);
    if (instance_.CanServe(request, leaves)) return;
    const Ticks arrives = leaves + instance_.travel(0, request.place);
    const auto wrong = [&](const auto&... why) {
      return file_.Wrong(order.line, table_.NameOf("closes"),
                         "no vehicle can serve it: ordered at ", ClockTextOfSeconds(order.ordered),
                         ", it leaves at ", ClockTextOfSeconds(leaves), why...);
    };
    if (arrives > request.closes) {
      throw wrong(" at the earliest and arrives at ", ClockTextOfSeconds(arrives), ", after ",
                  ClockTextOfSeconds(request.closes), "; order earlier or widen the window");
    }
    const Ticks begins = std::max(arrives, request.opens);
    throw wrong(", begins at ", ClockTextOfSeconds(begins), " and is back at ",
                ClockTextOfSeconds(begins + request.service + instance_.travel(request.place, 0)),
                ", after the depot closes at ", ClockTextOfSeconds(instance_.depot_closes),
                "; set env.waves.depot_closes_min");
  }

 private:
  Order OrderOf(size_t row) {
    Order order;
    order.day = DayOf(row);
    order.line = table_.line(row);
    order.ordered = Time(row, "ordered");
    order.known = (order.ordered + kEpoch_s - 1) / kEpoch_s;
    Request& request = order.request;
    request.place = finder_.Find(file_, table_, row, "place");
    if (request.place == 0) {
      throw file_.Wrong(order.line, "place", "is the depot; name the place that is visited");
    }
    request.opens = Time(row, "opens");
    request.closes = Time(row, "closes");
    if (request.closes < request.opens) {
      throw file_.Wrong(order.line, table_.NameOf("closes"), "the window closes at ",
                        ClockTextOfSeconds(request.closes), ", before it opens at ",
                        ClockTextOfSeconds(request.opens), "; swap or fix them");
    }
    if (request.closes < order.ordered) {
      throw file_.Wrong(order.line, table_.NameOf("ordered"), "is ",
                        ClockTextOfSeconds(order.ordered), ", after the window closes at ",
                        ClockTextOfSeconds(request.closes), "; fix one of them");
    }
    request.service = ServiceOf(row);
    request.load = LoadOf(row);
    return order;
  }

  int DayOf(size_t row) {
    const std::string name = table_.Has("day") ? table_.Text(row, "day") : "";
    const int day = day_of_.emplace(name, std::ssize(day_of_)).first->second;
    if (day_of_.size() > kMostDays) {
      throw file_.Wrong(table_.line(row), "day", "there are more than ", kMostDays,
                        " days; use several files");
    }
    return day;
  }

  Ticks Time(size_t row, const std::string& column) const {
    const double minutes = table_.Minutes(row, column);
    if (minutes >= 0 && minutes <= kDay_min) return std::lround(minutes * kMinute_s);
    throw file_.Wrong(table_.line(row), table_.NameOf(column), "must be from 0 to ", kDay_min,
                      " minutes after midnight, found ", minutes,
                      "; write minutes (540) or HH:MM (09:00)");
  }

  Ticks ServiceOf(size_t row) const {
    if (!table_.Has("service")) return 0;
    const double minutes = table_.Number(row, "service");
    if (minutes >= 0 && minutes <= kDay_min) return std::lround(minutes * kMinute_s);
    throw file_.Wrong(table_.line(row), table_.NameOf("service"), "must be from 0 to ", kDay_min,
                      " minutes, found ", minutes, "; it is a duration");
  }

  int LoadOf(size_t row) const {
    if (!table_.Has("load")) return 1;
    const int load = table_.Whole(row, "load");
    if (load >= 0 && load <= instance_.capacity) return load;
    throw file_.Wrong(table_.line(row), table_.NameOf("load"),
                      "must be from 0 to the capacity of a "
                      "vehicle, ",
                      instance_.capacity, ", found ", load,
                      "; set env.waves.capacity or split the order");
  }

  const TextFile& file_;
  const Instance& instance_;
  const PlaceFinder finder_;
  const CsvTable table_;
  std::map<std::string, int> day_of_;
};

// Returns the driving times in seconds.
TravelMatrix TravelOf(const OrderFiles& files, const PlaceTable* places, double speed_kmh) {
  TravelMatrix ticks;
  if (!files.travel.text.empty()) {
    ticks = ParseTravelMinutes(files.travel.path, files.travel.text).travel;
    if (places != nullptr && std::ssize(places->names) != ticks.places()) {
      throw UsageError(files.travel.path, ": has times for ", ticks.places(), " places, and ",
                       places->path, " has ", places->names.size(),
                       "; give a line of times for each place");
    }
  } else if (places != nullptr) {
    ticks = TravelAtSpeed(*places, speed_kmh);
  } else {
    throw UsageError(
        "env.waves.orders: name the file of places in env.waves.places, or of travel "
        "times in env.waves.travel");
  }
  std::vector<Ticks> seconds(ticks.times().begin(), ticks.times().end());
  for (Ticks& time : seconds) time *= kTick_s;
  return {ticks.places(), std::move(seconds)};
}

// Sets the epochs of the instance and of every order, as in a day of the competition: from the
// first whose vehicles some request needs to the last.
void SetEpochs(Instance& instance, std::vector<Order>& orders) {
  const auto needed = [](const Order& order) {
    return std::max(order.known, EpochOf(order.request.opens));
  };
  const auto [first, last] = std::ranges::minmax(orders, {}, needed);
  instance.first_epoch = needed(first);
  instance.last_epoch = needed(last);
  for (Order& order : orders) order.request.epoch = std::max(order.known, instance.first_epoch);
}

}  // namespace

OrderFiles ReadOrderFiles(const WavesConfig& settings) {
  return {.orders = FileOf(settings.orders(), "orders"),
          .places = FileOf(settings.places(), "places"),
          .travel = FileOf(settings.travel(), "travel")};
}

Instance ParseOrders(const OrderFiles& files, const WavesConfig& settings) {
  std::optional<PlaceTable> places;
  if (!files.places.text.empty()) places = ParsePlaces(files.places.path, files.places.text);
  const PlaceTable* names = places ? &*places : nullptr;
  Instance instance{.name = files.orders.path,
                    .travel = TravelOf(files, names, settings.speed_kmh()),
                    .depot_closes = static_cast<Ticks>(settings.depot_closes_min() * kMinute_s),
                    .capacity = settings.capacity() > 0 ? settings.capacity() : kMaxLoad};
  if (places) {
    instance.points = places->points;
    instance.place_names = places->names;
  }
  const TextFile file(files.orders.path, files.orders.text);
  OrderReader reader(file, instance, names);
  std::vector<Order> orders = reader.Read();
  SetEpochs(instance, orders);
  // In the order in which they became known.
  std::ranges::stable_sort(orders, {}, &Order::ordered);
  instance.recorded.resize(reader.days(), std::vector<std::vector<Request>>(instance.epochs()));
  for (const Order& order : orders) {
    reader.CheckReach(order);
    const Request& request = order.request;
    instance.recorded[order.day][request.epoch - instance.first_epoch].push_back(request);
    instance.customers.push_back({.place = request.place,
                                  .opens = request.opens,
                                  .closes = request.closes,
                                  .service = request.service,
                                  .load = request.load});
  }
  instance.draws = 1;
  for (const auto& day : instance.recorded) {
    for (const auto& arrivals : day) {
      instance.draws = std::max<int>(instance.draws, std::ssize(arrivals));
    }
  }
  return instance;
}

Instance WithWholeDay(Instance instance) {
  const int last = std::max(instance.last_epoch, instance.depot_closes / kEpoch_s - 1);
  for (auto& day : instance.recorded) {
    day.insert(day.begin(), instance.first_epoch, {});
    day.resize(last + 1);
  }
  instance.first_epoch = 0;
  instance.last_epoch = last;
  return instance;
}

}  // namespace dray::waves
