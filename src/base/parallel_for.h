#pragma once

#include <cstddef>
#include <functional>

namespace dray {

// Calls body(index, thread) for every index from 0 to count - 1 on at most `threads` threads,
// including the calling one. `thread` is in 0 ... threads - 1 and identifies memory that the body
// may use alone. The assignment of indices to threads is arbitrary. Rethrows the first exception
// after all threads have ended.
void ParallelFor(int threads, size_t count, const std::function<void(size_t, int)>& body);

}  // namespace dray
