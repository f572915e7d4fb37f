#include "src/envs/waves/observer.h"

#include <algorithm>
#include <array>

#include "src/base/error.h"

namespace dray::waves {
namespace {

constexpr Ticks kNear_s = 600;        // a drive to a place nearby
constexpr double kEpochScale = 8;     // scale of epochs
constexpr double kMostHours = 8;      // scale of times of the day
constexpr double kMostRequests = 50;  // scale of numbers of requests

class Writer {
 public:
  explicit Writer(std::span<float> to) : to_(to) {}
  void Put(double value) { to_[at_++] = static_cast<float>(std::clamp(value, -4.0, 4.0)); }
  void ExpectEnd() const { DRAY_CHECK_EQ(at_, to_.size()); }

 private:
  std::span<float> to_;
  size_t at_ = 0;
};

// Driving time of a route that visits one request, or two in the cheaper order.
class SharedRoutes {
 public:
  SharedRoutes(const Instance& instance, Ticks departure)
      : instance_(instance), leaves_(departure) {}

  int64_t Alone(const Request& request) const {
    return int64_t{instance_.travel(0, request.place)} + instance_.travel(request.place, 0);
  }

  // Returns the seconds of driving that one route saves over two; 0 if it saves none.
  int64_t Saving(const Request& a, const Request& b) const {
    if (a.load + b.load > instance_.capacity) return 0;
    return std::max({int64_t{0}, SavingInOrder(a, b), SavingInOrder(b, a)});
  }

 private:
  int64_t SavingInOrder(const Request& a, const Request& b) const {
    const TravelMatrix& travel = instance_.travel;
    const Ticks first = std::max(leaves_ + travel(0, a.place), a.opens);
    const Ticks second = std::max(first + a.service + travel(a.place, b.place), b.opens);
    if (first > a.closes || second > b.closes) return 0;
    if (second + b.service + travel(b.place, 0) > instance_.depot_closes) return 0;
    return int64_t{travel(a.place, 0)} + travel(0, b.place) - travel(a.place, b.place);
  }

  const Instance& instance_;
  Ticks leaves_;
};

// Returns the two largest savings of the request with one of the others, largest first.
std::array<int64_t, 2> LargestSavings(const SharedRoutes& shared, const Request& request,
                                      std::span<const Request> others) {
  std::array<int64_t, 2> largest{};
  for (const Request& other : others) {
    const int64_t saving = shared.Saving(request, other);
    if (saving <= largest[1]) continue;
    largest[1] = saving;
    if (largest[1] > largest[0]) std::swap(largest[0], largest[1]);
  }
  return largest;
}

// Returns the number of requests to expect in an epoch, divided by instance.draws.
double ExpectedShare(const Instance& instance, int epoch) {
  if (!instance.recorded.empty()) {
    int64_t requests = 0;
    for (const auto& day : instance.recorded) {
      requests += std::ssize(day[epoch - instance.first_epoch]);
    }
    const double days = std::ssize(instance.recorded);
    return requests / days / instance.draws;
  }
  const double customers = std::ssize(instance.customers);
  return std::ranges::count_if(instance.customers,
                               [&](const Stop& customer) {
                                 return instance.Departure(epoch) +
                                            instance.travel(0, customer.place) <=
                                        customer.closes;
                               }) /
         customers;
}

}  // namespace

Observer::Observer(const Instance& instance) : instance_(&instance) {
  const TravelMatrix& travel = instance.travel;
  const double customers = std::ssize(instance.customers);
  for (int place = 0; place < travel.places(); ++place) {
    near_.push_back(std::ranges::count_if(instance.customers,
                                          [&](const Stop& customer) {
                                            return travel(place, customer.place) +
                                                       travel(customer.place, place) <=
                                                   2 * kNear_s;
                                          }) /
                    customers);
  }
  for (int epoch = instance.first_epoch; epoch <= instance.last_epoch; ++epoch) {
    arriving_.push_back(ExpectedShare(instance, epoch));
  }
}

void Observer::Write(const Day& day, const Agenda& agenda, std::span<float> observation) const {
  const Instance& instance = *instance_;
  const Request& request = agenda.next();
  const SharedRoutes now(instance, day.departure());
  const SharedRoutes next(instance, instance.Departure(day.epoch() + 1));
  const double alone_s = std::max<int64_t>(now.Alone(request), 1);
  Writer out(observation);

  out.Put(EpochsToWait(instance, request, day.epoch()) / kEpochScale);
  out.Put((request.opens - day.departure()) / kHour_s / kMostHours);
  out.Put((request.closes - day.departure()) / kHour_s / kMostHours);
  out.Put((request.closes - request.opens) / kHour_s / kMostHours);
  out.Put(static_cast<double>(request.load) / instance.capacity);
  out.Put(request.service / kHour_s);
  out.Put(instance.travel(0, request.place) / kHour_s);
  out.Put(instance.travel(request.place, 0) / kHour_s);

  out.Put(static_cast<double>(day.epoch() - instance.first_epoch) / instance.epochs());
  out.Put((instance.last_epoch - day.epoch()) / kEpochScale);
  out.Put(std::ssize(agenda.dispatched()) / kMostRequests);
  out.Put(std::ssize(agenda.held()) / kMostRequests);
  out.Put(std::ssize(agenda.later()) / kMostRequests);
  out.Put(static_cast<double>(agenda.sketch().cost()) / kHour_s / kMostHours);

  out.Put(static_cast<double>(agenda.sketch().Cheapest(request).cost) / alone_s);
  for (const int64_t saving : LargestSavings(now, request, agenda.dispatched())) {
    out.Put(static_cast<double>(saving) / alone_s);
  }
  for (const int64_t saving : LargestSavings(now, request, agenda.later())) {
    out.Put(static_cast<double>(saving) / alone_s);
  }
  for (const int64_t saving : LargestSavings(next, request, agenda.held())) {
    out.Put(static_cast<double>(saving) / alone_s);
  }

  double expected_next = 0, expected = 0;
  for (int epoch = instance.last_epoch; epoch > day.epoch(); --epoch) {
    expected_next = instance.draws * near_[request.place] * arriving_[epoch - instance.first_epoch];
    expected += expected_next;
  }
  out.Put(expected_next / kMostRequests);
  out.Put(expected / kMostRequests);
  out.Put(near_[request.place]);
  out.ExpectEnd();
}

}  // namespace dray::waves
