#pragma once

#include <functional>
#include <new>
#include <string_view>

#include "src/api/dray.h"
#include "src/base/bytes.h"

namespace dray {

// Runs an entry point of the facade with all tasks registered. No exception may cross the facade:
// each is turned into a status and a one-line message, dray_last_error.
dray_status Guard(const std::function<void()>& body);

inline std::string_view View(const dray_bytes& bytes) {
  return {static_cast<const char*>(bytes.data), bytes.size};
}

// Writes into memory provided by the other side of the facade.
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

// Writes the whole text to the sink.
void Answer(std::string_view text, const dray_sink& sink);

}  // namespace dray
