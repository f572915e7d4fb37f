#pragma once

#include <cstddef>

namespace dray::fuzz {

// Bytes of the heap that are in use, by all threads.
size_t HeapBytes();
// The most that were in use since the last call of this.
size_t TakeHeapPeak();

}  // namespace dray::fuzz
