#include "src/oracle/neural/request_features.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"

namespace dray {
namespace {

// Maps any number to (-1, 1), steepest around 0.
float Squash(float value) { return value / (2.0f + std::abs(value)); }

// Two places far from the depot and from each other. Travel to them locates a stop.
struct Landmarks {
  int first = 0;
  int second = 0;
};

template <typename Distance>
int Farthest(std::span<const int> places, const Distance& distance) {
  return *std::ranges::max_element(places, {}, distance);
}

Landmarks ChooseLandmarks(const Problem& problem, std::span<const int> places) {
  const auto& travel = problem.travel;
  const int depot = problem.depot;
  const int first = Farthest(places, [&](int place) { return travel(depot, place); });
  const int second = Farthest(
      places, [&](int place) { return std::min(travel(depot, place), travel(first, place)); });
  return {first, second};
}

}  // namespace

void RequestFeatures::Times::Resize(size_t requests) {
  for (auto* values :
       {&opens, &closes, &service, &delivery_opens, &delivery_closes, &delivery_service, &earliest,
        &latest, &leave, &ride, &out, &back, &load, &paired})
    values->resize(requests);
}

void RequestFeatures::Legs::Resize(size_t requests) {
  for (auto* values : {&pickup_pickup, &delivery_pickup, &delivery_delivery, &back_pickup_delivery,
                       &back_delivery_delivery})
    values->resize(requests);
}

void RequestFeatures::Write(const Problem& problem, int padded, std::span<float> tokens,
                            std::span<float> pairs) {
  const size_t requests = problem.requests.size();
  const size_t width = padded;
  DRAY_CHECK_LE(requests, width);
  DRAY_CHECK_EQ(tokens.size(), width * kTokenFeatures);
  DRAY_CHECK_EQ(pairs.size(), width * width * kPairFeatures);
  if (requests == 0) return;
  Measure(problem);
  WriteTokens(problem, tokens);
  legs_.Resize(requests);
  for (size_t i = 0; i < requests; ++i) {
    GatherLegs(problem, i);
    WritePairs(i, width, pairs.data());
  }
}

void RequestFeatures::Measure(const Problem& problem) {
  const size_t requests = problem.requests.size();
  const auto& travel = problem.travel;
  from_.resize(requests);
  to_.resize(requests);
  double legs = 0;
  double driven = 0;
  for (size_t i = 0; i < requests; ++i) {
    const Request& request = problem.requests[i];
    from_[i] = problem.stops[request.pickup].place;
    to_[i] = request.paired() ? problem.stops[request.delivery].place : from_[i];
    driven +=
        travel(problem.depot, from_[i]) + travel(from_[i], to_[i]) + travel(to_[i], problem.depot);
    legs += request.paired() ? 3 : 2;
  }
  unit_ = std::max(1.0, driven / legs);

  times_.Resize(requests);
  const double scale = 1.0 / unit_;
  const auto moment = [&](Ticks time) -> float {
    return (int64_t{time} - problem.depot_opens) * scale;
  };
  const auto duration = [&](Ticks time) -> float { return time * scale; };
  const float depot_closes = moment(problem.depot_closes);
  Times& t = times_;
  for (size_t i = 0; i < requests; ++i) {
    const Request& request = problem.requests[i];
    const Stop& pickup = problem.stops[request.pickup];
    const Stop& delivery = problem.stops[request.paired() ? request.delivery : request.pickup];
    t.paired[i] = request.paired();
    t.load[i] = static_cast<float>(std::abs(pickup.load)) / std::max(1, problem.fleet.capacity);
    t.opens[i] = moment(pickup.opens);
    t.closes[i] = moment(pickup.closes);
    t.service[i] = duration(pickup.service);
    t.delivery_opens[i] = moment(delivery.opens);
    t.delivery_closes[i] = moment(delivery.closes);
    t.delivery_service[i] = duration(delivery.service);
    t.out[i] = duration(travel(problem.depot, from_[i]));
    t.ride[i] = duration(travel(from_[i], to_[i]));
    t.back[i] = duration(travel(to_[i], problem.depot));
    t.earliest[i] = std::max(t.opens[i], t.out[i]);
    const float home = depot_closes - t.back[i] - t.delivery_service[i];
    if (request.paired()) {
      const float reached = t.earliest[i] + t.service[i] + t.ride[i];
      t.leave[i] = std::max(t.delivery_opens[i], reached) + t.delivery_service[i];
      t.latest[i] =
          std::min(t.closes[i], std::min(t.delivery_closes[i], home) - t.ride[i] - t.service[i]);
    } else {
      t.leave[i] = t.earliest[i] + t.service[i];
      t.latest[i] = std::min(t.closes[i], home);
    }
  }
}

void RequestFeatures::WriteTokens(const Problem& problem, std::span<float> tokens) const {
  const size_t requests = problem.requests.size();
  const Times& t = times_;
  std::vector<int> places(from_);
  places.insert(places.end(), to_.begin(), to_.end());
  const Landmarks landmarks = ChooseLandmarks(problem, places);
  const auto leg = [&](int from, int to) { return problem.travel(from, to) / unit_; };
  const float begin = *std::ranges::min_element(t.opens);
  const float end =
      std::max(*std::ranges::max_element(t.closes), *std::ranges::max_element(t.delivery_closes));
  const float span = std::max(1.0f, end - begin);
  const float depot_closes = (int64_t{problem.depot_closes} - problem.depot_opens) / unit_;
  const float count = requests;
  for (size_t i = 0; i < requests; ++i) {
    const float token[kTokenFeatures] = {
        t.out[i],
        t.ride[i],
        t.back[i],
        leg(from_[i], landmarks.first),
        leg(to_[i], landmarks.first),
        leg(from_[i], landmarks.second),
        leg(to_[i], landmarks.second),
        (t.opens[i] - begin) / span,
        (t.closes[i] - begin) / span,
        (t.delivery_opens[i] - begin) / span,
        (t.delivery_closes[i] - begin) / span,
        Squash(t.latest[i] - t.earliest[i]),
        Squash(t.closes[i] - t.opens[i]),
        Squash(t.delivery_closes[i] + t.delivery_service[i] - t.leave[i]),
        Squash(depot_closes - t.leave[i] - t.back[i]),
        Squash(t.service[i] + t.delivery_service[i]),
        t.load[i],
        t.paired[i],
        Squash(span / 8),
        count / (count + 30),
        Squash(problem.fleet.extra_vehicle_cost / unit_),
        std::min(1.0f, problem.fleet.free_vehicles / count),
        problem.fleet.hard ? 1.0f : 0.0f,
    };
    std::ranges::copy(token, tokens.begin() + i * kTokenFeatures);
  }
}

void RequestFeatures::GatherLegs(const Problem& problem, size_t i) {
  const auto& travel = problem.travel;
  const float scale = 1 / unit_;
  const int from = from_[i];
  const int to = to_[i];
  for (size_t j = 0; j < from_.size(); ++j) {
    legs_.pickup_pickup[j] = travel(from, from_[j]) * scale;
    legs_.delivery_pickup[j] = travel(to, from_[j]) * scale;
    legs_.delivery_delivery[j] = travel(to, to_[j]) * scale;
    legs_.back_pickup_delivery[j] = travel(from_[j], to) * scale;
    legs_.back_delivery_delivery[j] = travel(to_[j], to) * scale;
  }
}

// Written without branches so that the compiler can vectorise over j.
void RequestFeatures::WritePairs(size_t i, size_t padded, float* pairs) const {
  const Times& t = times_;
  const Legs& legs = legs_;
  const size_t plane = padded * padded;
  float* out = pairs + i * padded;
  const float alone = t.out[i] + t.ride[i] + t.back[i];
  const float leave_pickup = t.earliest[i] + t.service[i];
  const bool paired = t.paired[i] > 0;
  constexpr float kNone = 1e9f;
  for (size_t j = 0; j < from_.size(); ++j) {
    const bool room = t.load[i] + t.load[j] <= 1.0001f;
    const bool other_paired = t.paired[j] > 0;
    const float alone_other = t.out[j] + t.ride[j] + t.back[j];

    // i, then j. Single stops stay on the vehicle's account all the way.
    const float arrival = t.leave[i] + legs.delivery_pickup[j];
    const bool after = (arrival <= t.latest[j]) & (room | (paired & other_paired));
    const float saved_after = t.back[i] + t.out[j] - legs.delivery_pickup[j];

    // j is picked up on the way from i's pickup to its delivery; then i's delivery or j's comes
    // first.
    const float pickup = std::max(leave_pickup + legs.pickup_pickup[j], t.opens[j]);
    const float leave = pickup + t.service[j];
    const bool boards = paired & room & (pickup <= t.closes[j]);
    const float i_first = std::max(leave + legs.back_pickup_delivery[j], t.delivery_opens[i]);
    const float j_second =
        std::max(i_first + t.delivery_service[i] + legs.delivery_delivery[j], t.delivery_opens[j]);
    const bool crossed = boards & other_paired & (i_first <= t.delivery_closes[i]) &
                         (j_second <= t.delivery_closes[j]);
    const float j_first =
        other_paired ? std::max(leave + t.ride[j], t.delivery_opens[j]) + t.delivery_service[j]
                     : leave;
    const float i_second = std::max(j_first + legs.back_delivery_delivery[j], t.delivery_opens[i]);
    const bool nested = boards & (j_first <= t.delivery_closes[j] + t.delivery_service[j]) &
                        (i_second <= t.delivery_closes[i]);
    const float head = t.out[i] + legs.pickup_pickup[j];
    const float crossed_cost =
        crossed ? head + legs.back_pickup_delivery[j] + legs.delivery_delivery[j] + t.back[j]
                : kNone;
    const float nested_cost =
        nested ? head + t.ride[j] + legs.back_delivery_delivery[j] + t.back[i] : kNone;
    const bool together = crossed | nested;
    const float saved_together = alone + alone_other - std::min(crossed_cost, nested_cost);

    out[j] = after ? 1.0f : 0.0f;
    out[plane + j] = after ? saved_after : 0.0f;
    out[2 * plane + j] = together ? 1.0f : 0.0f;
    out[3 * plane + j] = together ? saved_together : 0.0f;
    out[4 * plane + j] = legs.delivery_pickup[j];
    out[5 * plane + j] = legs.pickup_pickup[j];
    out[6 * plane + j] = legs.delivery_delivery[j];
    out[7 * plane + j] = Squash(t.opens[j] - arrival);
  }
}

}  // namespace dray
