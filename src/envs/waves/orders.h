#pragma once

#include <string>

#include "src/envs/waves/instance.h"
#include "src/envs/waves/waves.pb.h"

namespace dray::waves {

// Texts of a user's own files, with the names by which messages call them.
struct OrderFiles {
  struct File {
    std::string path;
    std::string text;
  };
  File orders;
  File places = {};  // empty text: none
  File travel = {};  // empty text: none
};

// Reads the files that env.waves.orders, places and travel name. A run stores their texts in place
// of the names.
OrderFiles ReadOrderFiles(const WavesConfig& settings);

// Parses orders of past days with columns day (optional), ordered, place, opens, closes, service
// and load (both optional): docs/own_data.md. A request is known from the first epoch that begins
// after it was ordered. Mistakes are one-line Errors that name file, line, column and reason: an
// unknown place, a window that closes before it opens or before the request was ordered, a request
// that no vehicle can serve.
Instance ParseOrders(const OrderFiles& files, const WavesConfig& settings);

// Returns the instance with epochs from midnight until the depot closes, for days whose orders may
// come at any time.
Instance WithWholeDay(Instance instance);

}  // namespace dray::waves
