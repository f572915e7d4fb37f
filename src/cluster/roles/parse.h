#pragma once

#include <limits>
#include <string_view>

#include "src/base/error.h"

namespace dray {

// Parses a message; bytes that are not one are an Error.
template <typename Message>
Message Parsed(std::string_view bytes) {
  Message message;
  if (bytes.size() > std::numeric_limits<int>::max() ||
      !message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    throw Failure("these bytes are no ", Message::descriptor()->name(), " of this version of Dray");
  }
  return message;
}

}  // namespace dray
