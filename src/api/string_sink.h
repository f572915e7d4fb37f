#pragma once

#include <string>

#include "src/api/dray.h"

namespace dray {

// Returns a sink that writes into a string, which must outlive the sink.
inline dray_sink StringSink(std::string& to) {
  return {&to, [](void* self, size_t size) -> void* {
            auto& text = *static_cast<std::string*>(self);
            text.resize(size);
            return text.data();
          }};
}

}  // namespace dray
