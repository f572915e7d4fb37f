#include "src/base/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "src/base/error.h"

namespace dray {

void ParallelFor(int threads, size_t count, const std::function<void(size_t, int)>& body) {
  DRAY_CHECK_GE(threads, 1);
  std::atomic<size_t> next = 0;
  std::exception_ptr first;
  std::mutex first_mutex;
  const auto work = [&](int thread) {
    try {
      for (size_t i = next++; i < count; i = next++) body(i, thread);
    } catch (...) {
      next = count;
      const std::lock_guard lock(first_mutex);
      if (!first) first = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    const size_t useful = std::min<size_t>(threads, count);
    for (size_t thread = 1; thread < useful; ++thread) others.emplace_back(work, thread);
    work(0);
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace dray
