#pragma once

#include <vector>

#include "src/config/flags.h"

namespace dray::delivery {

// Returns the flags of evaluate for the settings lookahead.
inline std::vector<Flag> LookaheadFlags() {
  return {{.name = "futures",
           .value = "N",
           .path = "env.<env>.lookahead.futures",
           .help = "Policies lookahead and plan: futures per decision"},
          {.name = "decision-ms",
           .value = "MS",
           .path = "env.<env>.lookahead.decision_ms",
           .help = "Policies lookahead and plan: maximum time per decision"}};
}

// Returns the flags of train.
inline std::vector<Flag> CustomerFlags() {
  return {{.name = "customers",
           .value = "N",
           .path = "env.<env>.num_customers",
           .help = "Customers per episode; if not set, as many as in your own file, if any"}};
}

}  // namespace dray::delivery
