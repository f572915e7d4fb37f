#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/base/rng.h"

namespace dray::cage2 {

// Names with shares that sum to 1.
struct Mixture {
  std::vector<std::string> names;
  std::vector<double> shares;

  // Parses "one", "0.5 one, 0.3 two, 0.2 three" or, for equal shares, "one, two, three". An Error
  // for other texts begins with `setting`.
  static Mixture Parse(const std::string& text, const std::string& setting);
};

// Draws an index with these shares. Uses the generator only if there is a choice.
size_t DrawShare(std::span<const double> shares, Rng& rng);

}  // namespace dray::cage2
