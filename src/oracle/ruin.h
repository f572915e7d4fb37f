#pragma once

#include <vector>

#include "src/oracle/ruin_recreate.h"
#include "src/oracle/search_round.h"

namespace dray {

// The first half of a round: removes requests from the tours. They become absent.
class Ruin {
 public:
  // Number and kind of removals.
  struct Style {
    double removed_stops = 0;
    double near_share = 0;
  };

  explicit Ruin(const RuinRecreateOptions& options)
      : options_(options), style_{options.removed_stops, options.near_share} {}

  void Load(size_t nodes) {
    head_.reserve(nodes);
    tail_.reserve(nodes);
  }
  const Style& style() const { return style_; }
  void set_style(const Style& style) { style_ = style; }

  void Apply(SearchRound& round);

 private:
  // Gives the part of a route after a stop to a new vehicle, where no pair is on board.
  void CutRoute(SearchRound& round, int node);
  void RemoveNearest(SearchRound& round);
  void RemoveStrings(SearchRound& round);
  void RemoveString(SearchRound& round, int slot, int node, int length);

  const RuinRecreateOptions& options_;
  Style style_;
  std::vector<int> head_;  // parts of a route that is cut
  std::vector<int> tail_;
  Route head_route_;
  Route tail_route_;
};

}  // namespace dray
