#include "src/envs/dvrptw/offer_day.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "src/base/error.h"
#include "src/config/user_path.h"
#include "src/envs/dvrptw/fleet.h"
#include "src/envs/dvrptw/unused_settings.h"
#include "src/routing/readers.h"
#include "src/routing/trips.h"

namespace dray {
namespace {

constexpr int kTicksPerUnit = 10;
constexpr double kSide = 100;
constexpr int kCapacity = 200;
constexpr int kMostDemand = 29;
constexpr Ticks kService = 10 * kTicksPerUnit;
constexpr Ticks kHorizon = 230 * kTicksPerUnit;
constexpr double kLostRoundTrips = 1.5;

Ticks Distance(const Point& a, const Point& b) {
  return static_cast<Ticks>(std::lround(kTicksPerUnit * std::hypot(a.x - b.x, a.y - b.y)));
}

void ExpectSingleStops(const Problem& problem, const std::string& file) {
  for (const Request& request : problem.requests) {
    if (request.paired()) {
      throw UsageError(file,
                       ": has pickups with deliveries; the mode offer plays files of single stops");
    }
  }
}

std::shared_ptr<const Problem> ReadInstance(const DvrptwConfig& config) {
  const std::string file = UserPath(config.instance());
  ReadOptions options;
  if (config.capacity() > 0) options.capacity = config.capacity();
  auto problem = std::make_shared<Problem>(ReadProblem(file, options));
  ExpectSingleStops(*problem, file);
  if (static_cast<int>(problem->requests.size()) < config.num_customers()) {
    throw UsageError(file, ": has ", problem->requests.size(),
                     " customers where env.dvrptw.num_customers is ", config.num_customers(),
                     "; use --customers ", problem->requests.size());
  }
  const Fleet fleet = FleetOf(config, problem->fleet.capacity, problem->ticks_per_unit);
  problem->fleet.extra_vehicle_cost = fleet.extra_vehicle_cost;
  problem->fleet.hard = fleet.hard;
  return problem;
}

}  // namespace

uint8_t OfferCustomer::Accepts() const {
  switch (type) {
    case Flexibility::kLateDropoff:
      return 0b1100;
    case Flexibility::kEarlyPickup:
      return 0b0011;
    case Flexibility::kNone:
      return static_cast<uint8_t>(1 << personal_slot);
    case Flexibility::kBoth:
      break;
  }
  return kOfferAll;
}

OfferSource::OfferSource(const DvrptwConfig& config)
    : customers_(config.num_customers()), types_(config.type_split()) {
  RefuseUnusedSettings(config);
  fleet_ = FleetOf(config, kCapacity, kTicksPerUnit);
  if (!config.instance().empty()) {
    file_ = ReadInstance(config);
  } else if (fleet_.capacity < kMostDemand) {
    throw UsageError("env.dvrptw.capacity: ", fleet_.capacity,
                     " is less than a customer may demand; choose ", kMostDemand,
                     " at least, or auto");
  }
}

Problem OfferSource::Generate(Rng& rng) const {
  Problem problem;
  problem.name = "offers";
  problem.fleet = fleet_;
  problem.depot = 0;
  problem.depot_opens = 0;
  problem.depot_closes = kHorizon;
  problem.ticks_per_unit = kTicksPerUnit;
  problem.points.push_back({kSide / 2, kSide / 2});
  for (int i = 0; i < customers_; ++i) {
    const double x = rng.Uniform(0, kSide), y = rng.Uniform(0, kSide);
    problem.points.push_back({x, y});
    const int demand = 1 + static_cast<int>(rng.Below(kMostDemand));
    problem.stops.push_back({i + 1, 0, kHorizon, kService, demand});
    problem.requests.push_back({i, -1});
  }
  const size_t places = problem.points.size();
  std::vector<Ticks> times(places * places);
  for (size_t i = 0; i < places; ++i) {
    for (size_t j = 0; j < places; ++j) {
      times[i * places + j] = Distance(problem.points[i], problem.points[j]);
    }
  }
  CloseTriangles(static_cast<int>(places), &times);
  problem.travel = TravelMatrix(static_cast<int>(places), std::move(times));
  return problem;
}

std::vector<OfferCustomer> OfferSource::Draw(const EpisodeKey& key, Problem* stops) const {
  const uint64_t env_seed = Rng(key.seed, key.purpose, key.env).Next64();
  Rng rng(env_seed, RngPurpose::kEpisode, key.episode);
  *stops = file_ ? *file_ : Generate(rng);
  std::vector<OfferCustomer> customers(stops->requests.size());
  for (size_t i = 0; i < customers.size(); ++i) {
    customers[i].stop = stops->requests[i].pickup;
  }
  rng.Shuffle(std::span(customers));
  customers.resize(static_cast<size_t>(customers_));
  for (OfferCustomer& customer : customers) {
    customer.type = DrawType(types_, rng);
    customer.personal_slot = static_cast<int>(rng.Below(kSlots));
    customer.taste = rng.Uniform();
  }
  return customers;
}

void OfferDay::Begin(const EpisodeKey& key) {
  key_ = key;
  customers_ = source_->Draw(key, &stops_);
  Problem empty = stops_;
  empty.stops.clear();
  empty.requests.clear();
  empty.numbers.clear();
  own.Clear(empty);
  total_reward = 0;
  actions_.clear();
  booked_.clear();
  served_by_type_ = asked_by_type_ = {};
  int64_t round_trips = 0;
  for (const OfferCustomer& customer : customers_) {
    const int place = stops_.stops[static_cast<size_t>(customer.stop)].place;
    round_trips += stops_.travel(stops_.depot, place) + stops_.travel(place, stops_.depot);
  }
  lost_penalty_ = std::llround(kLostRoundTrips * static_cast<double>(round_trips) /
                               static_cast<double>(customers_.size()));
}

RequestWindows OfferDay::WindowOf(const OfferCustomer& customer, int slot) const {
  const Stop& stop = stops_.stops[static_cast<size_t>(customer.stop)];
  const int64_t day = stops_.depot_closes - stops_.depot_opens;
  const auto edge = [&](int i) {
    return static_cast<Ticks>(stops_.depot_opens + day * i / kSlots);
  };
  return {.pickup_opens = std::max(stop.opens, edge(slot)),
          .pickup_closes = std::min(stop.closes, edge(slot + 1)),
          .delivery_opens = 0,
          .delivery_closes = 0};
}

bool OfferDay::Decide(int action) {
  const OfferCustomer& asked = customer();
  const auto type = static_cast<size_t>(asked.type);
  const auto possible = static_cast<uint8_t>(action & asked.Accepts());
  ++asked_by_type_[type];
  actions_.push_back(static_cast<int8_t>(action));
  if (possible == 0) {
    booked_.push_back(-1);
    return false;
  }
  int skip = static_cast<int>(asked.taste * std::popcount(possible));
  int slot = 0;
  while ((possible >> slot & 1) == 0 || skip-- > 0) ++slot;
  booked_.push_back(static_cast<int8_t>(slot));
  ++served_by_type_[type];
  Stop stop = stops_.stops[static_cast<size_t>(asked.stop)];
  const RequestWindows window = WindowOf(asked, slot);
  stop.opens = window.pickup_opens;
  stop.closes = window.pickup_closes;
  own.problem.requests.push_back({static_cast<int>(own.problem.stops.size()), -1});
  own.problem.stops.push_back(stop);
  return true;
}

void OfferDay::Save(ByteWriter& out) const {
  SaveKey(key_, out);
  out.Put(total_reward);
  out.PutVector(actions_);
  own.SavePlan(out);
}

void OfferDay::Load(ByteReader& in) {
  const EpisodeKey key = LoadKey(in);
  const auto total = in.Get<double>();
  const auto actions = in.GetVector<int8_t>();
  if (!std::isfinite(total) || actions.size() >= static_cast<size_t>(source_->customers())) {
    throw Failure("a saved episode of dvrptw is damaged");
  }
  Begin(key);
  for (const int8_t action : actions) {
    if (action < 0 || action >= kOfferActions) {
      throw Failure("a saved episode of dvrptw is damaged: action ", int{action});
    }
    Decide(action);
  }
  total_reward = total;
  own.LoadPlan(in);
}

}  // namespace dray
