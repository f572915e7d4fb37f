#pragma once

#include <span>
#include <vector>

#include "src/routing/problem.h"

namespace dray {

// What the sequence net sees of a problem: numbers per request and per ordered pair of requests,
// from windows, loads and travel times alone (no coordinates), so that any travel matrix will do.
// Travel is in units of the mean leg of a request served alone, windows also in shares of the time
// from the first opening to the last closing: the same weights see ticks of every length alike.
inline constexpr int kTokenFeatures = 23;
// Of i -> j: whether, and with what saving against two vehicles, one vehicle can serve first i and
// then j; the same for j picked up while i is on board; three travel times; the wait between them.
inline constexpr int kPairFeatures = 8;

// Keeps its memory from problem to problem; one object per thread.
class RequestFeatures {
 public:
  // tokens [padded, kTokenFeatures] and pairs [kPairFeatures, padded, padded], of which the first
  // `requests` rows and columns are written; padded >= requests.
  void Write(const Problem& problem, int padded, std::span<float> tokens, std::span<float> pairs);

 private:
  // One by request, in mean legs after the depot opens. A single stop is picked up and delivered in
  // one place at one time.
  struct Times {
    std::vector<float> opens, closes, service;  // of the pickup
    std::vector<float> delivery_opens, delivery_closes, delivery_service;
    std::vector<float> earliest;  // start of the pickup, straight from the depot
    std::vector<float> latest;    // start of the pickup with the delivery and the depot in time
    std::vector<float> leave;     // earliest departure from the delivery
    std::vector<float> ride;      // from pickup to delivery
    std::vector<float> out;       // from the depot to the pickup
    std::vector<float> back;      // from the delivery to the depot
    std::vector<float> load;      // share of the capacity
    std::vector<float> paired;    // 1 or 0

    void Resize(size_t requests);
  };
  // Travel from and to one request i, by the other request j.
  struct Legs {
    std::vector<float> pickup_pickup, delivery_pickup, delivery_delivery;  // i to j
    std::vector<float> back_pickup_delivery, back_delivery_delivery;       // j to i

    void Resize(size_t requests);
  };

  void Measure(const Problem& problem);
  void WriteTokens(const Problem& problem, std::span<float> tokens) const;
  void WritePairs(size_t i, size_t padded, float* pairs) const;
  void GatherLegs(const Problem& problem, size_t i);

  float unit_ = 1;         // of travel, in ticks
  std::vector<int> from_;  // pickup places
  std::vector<int> to_;    // delivery places
  Times times_;
  Legs legs_;
};

}  // namespace dray
