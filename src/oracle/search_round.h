#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/base/rng.h"
#include "src/oracle/nearest_nodes.h"
#include "src/oracle/tours.h"

namespace dray {

// Records what a round changes, so that its result can be copied or undone without copying the
// rest.
class RoundChanges {
 public:
  void Load(size_t slots, size_t nodes) {
    touched_.clear();
    is_touched_.assign(slots, 0);
    is_ruined_.assign(slots, 0);
    moved_.clear();
    moved_.reserve(2 * nodes);
  }

  // Records a change of a route.
  void Touch(int slot) {
    if (is_touched_[slot]) return;
    is_touched_[slot] = 1;
    touched_.push_back(slot);
  }
  // Records that a string was removed from a route.
  void TouchRuined(int slot) {
    Touch(slot);
    is_ruined_[slot] = 1;
  }
  bool is_ruined(int slot) const { return is_ruined_[slot]; }
  // Slots of the changed routes, in the order of their first change.
  std::span<const int> touched() const { return touched_; }

  // Records requests that may be on another route than before.
  void Move(int request) { moved_.push_back(request); }
  void Move(const std::vector<int>& requests) {
    moved_.insert(moved_.end(), requests.begin(), requests.end());
  }

  // Copies everything that the round changed.
  void Copy(const Tours& from, Tours& to) const {
    for (const int slot : touched_) to.routes[slot] = from.routes[slot];
    for (const int request : moved_) to.slot_of[request] = from.slot_of[request];
    to.used = from.used;
    to.unused = from.unused;
    to.absent = from.absent;
    to.travel = from.travel;
  }

  // Begins another round.
  void Clear() {
    for (const int slot : touched_) is_touched_[slot] = is_ruined_[slot] = 0;
    touched_.clear();
    moved_.clear();
  }

 private:
  std::vector<int> touched_;         // slots
  std::vector<uint8_t> is_touched_;  // indexed by slot
  std::vector<uint8_t> is_ruined_;   // indexed by slot
  std::vector<int> moved_;           // requests
};

// The parts of a search that a round works on. It changes `tours`.
struct SearchRound {
  TourBook& book;
  NearestNodes& nearest;
  Rng& rng;
  Tours& tours;
  RoundChanges& changes;
};

}  // namespace dray
