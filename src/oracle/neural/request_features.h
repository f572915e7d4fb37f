#pragma once

#include <span>
#include <vector>

#include "src/routing/problem.h"

namespace dray {

// Input of the sequence net: features per request and per ordered pair of requests. They use only
// windows, loads and travel times, so any travel matrix will do. Travel is in units of the mean leg
// of a request served alone, and windows also as shares of the time from the first opening to the
// last closing, so the features do not depend on the length of a tick.
inline constexpr int kTokenFeatures = 23;
// Features of i -> j: feasibility and saving (against two vehicles) of one vehicle that serves i
// and then j; the same for j picked up while i is on board; three travel times; the wait between
// them.
inline constexpr int kPairFeatures = 8;

// Computes the features of problems. Reuses its memory; use one object per thread.
class RequestFeatures {
 public:
  // Writes the first `requests` rows and columns of tokens [padded, kTokenFeatures] and pairs
  // [kPairFeatures, padded, padded]; padded >= requests.
  void Write(const Problem& problem, int padded, std::span<float> tokens, std::span<float> pairs);

 private:
  // One value per request, in mean legs after the depot opens. Single stops are picked up and
  // delivered at the same place and time.
  struct Times {
    std::vector<float> opens, closes, service;  // pickup
    std::vector<float> delivery_opens, delivery_closes, delivery_service;
    std::vector<float> earliest;  // start of the pickup, straight from the depot
    std::vector<float> latest;    // start of the pickup with the delivery and the depot in time
    std::vector<float> leave;     // earliest departure from the delivery
    std::vector<float> ride;      // travel from pickup to delivery
    std::vector<float> out;       // travel from depot to pickup
    std::vector<float> back;      // travel from delivery to depot
    std::vector<float> load;      // share of the capacity
    std::vector<float> paired;    // 1 or 0

    void Resize(size_t requests);
  };
  // Travel between a request i and every other request j, indexed by j.
  struct Legs {
    std::vector<float> pickup_pickup, delivery_pickup, delivery_delivery;  // i to j
    std::vector<float> back_pickup_delivery, back_delivery_delivery;       // j to i

    void Resize(size_t requests);
  };

  void Measure(const Problem& problem);
  void WriteTokens(const Problem& problem, std::span<float> tokens) const;
  void WritePairs(size_t i, size_t padded, float* pairs) const;
  void GatherLegs(const Problem& problem, size_t i);

  float unit_ = 1;         // mean leg, in ticks
  std::vector<int> from_;  // pickup places
  std::vector<int> to_;    // delivery places
  Times times_;
  Legs legs_;
};

}  // namespace dray
