#pragma once

#include <functional>
#include <new>
#include <string_view>

#include "src/api/dray.h"
#include "src/base/bytes.h"

namespace dray {

// Runs an entry point of the facade with every task registered. No exception may cross the facade:
// each becomes a status and one line, dray_last_error.
dray_status Guard(const std::function<void()>& body);

inline std::string_view View(const dray_bytes& bytes) {
  return {static_cast<const char*>(bytes.data), bytes.size};
}

// Memory from the other side of the facade.
class ForeignSink : public ByteSink {
 public:
  explicit ForeignSink(const dray_sink& sink) : sink_(sink) {}
  std::byte* Resize(size_t size) override {
    void* memory = sink_.resize(sink_.self, size);
    if (memory == nullptr && size > 0) throw std::bad_alloc();
    return static_cast<std::byte*>(memory);
  }

 private:
  dray_sink sink_;
};

// All of a text.
void Answer(std::string_view text, const dray_sink& sink);

}  // namespace dray
