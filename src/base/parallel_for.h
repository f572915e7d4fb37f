#pragma once

#include <cstddef>
#include <functional>

namespace dray {

// Calls body(index, thread) for every index from 0 to count - 1, on at most so many threads, this
// one among them; thread is 0 ... threads - 1 and names memory that the body may keep to itself.
// Who gets which index is chance. The first exception is thrown again here once all threads ended.
void ParallelFor(int threads, size_t count, const std::function<void(size_t, int)>& body);

}  // namespace dray
