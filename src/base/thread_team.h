#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace dray {

// A pool of threads for tasks of a few microseconds: they spin briefly after each call and sleep if
// none follows. Nobody waits for a late thread; the others do its share.
class ThreadTeam {
 public:
  // Number of working threads, including the caller.
  explicit ThreadTeam(int threads);
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ~ThreadTeam();

  // A team of the caller alone. Any number of callers may use it at once.
  static ThreadTeam& Alone();

  int threads() const { return working_.load(std::memory_order_relaxed); }
  int most_threads() const { return others_.size() + 1; }
  // Number of parts into which to split work of uneven length.
  int MostParts() const { return threads() == 1 ? 1 : std::min(kMostItems, 4 * threads()); }
  // Sets the number of threads in use, from 1 to most_threads(). The others sleep.
  void Use(int threads);

  // Calls body(item) for every item from 0 to count - 1 (at most 256) and returns when all are
  // done. Neighbouring items go to the same thread, and to the same thread in every call with that
  // count, unless it is late. Rethrows the first exception. Only one thread may call this at a
  // time.
  template <typename Body>
  void For(int count, const Body& body) {
    if (threads() == 1 || count <= 1) {
      for (int item = 0; item < count; ++item) body(item);
      return;
    }
    Share(
        count, [](const void* work, int item) { (*static_cast<const Body*>(work))(item); }, &body);
  }

  // Calls body(first, end) for ranges that cover 0 ... count - 1. Work on fewer than some ten
  // thousand `numbers` is one range: waking the others would take longer.
  template <typename Body>
  void ForRanges(size_t count, size_t numbers, const Body& body) {
    constexpr size_t kWorthIt = 65'536;
    const size_t most = MostParts(), parts = numbers < kWorthIt ? 1 : std::min(count, most);
    For(parts, [&](size_t part) { body(count * part / parts, count * (part + 1) / parts); });
  }

 private:
  using Call = void (*)(const void* work, int item);

  static constexpr int kMostItems = 256;

  void Share(int count, Call call, const void* work);
  void Serve(int member);
  // Processes the items of a call that nobody has started, this thread's own first.
  void Work(int member, uint64_t number, int count, Call call, const void* work);

  // Description of the current call. A reader must find `number_` unchanged after reading the rest.
  std::atomic<uint64_t> number_ = 0;  // grows by 2 per call; odd while the rest is being written
  std::atomic<int> count_ = 0;
  std::atomic<Call> call_ = nullptr;
  std::atomic<const void*> work_ = nullptr;
  std::atomic<int> working_ = 1;  // threads in use

  std::array<std::atomic<uint64_t>, kMostItems> begun_ =
      {};                      // last call in which the item was started
  std::atomic<int> done_ = 0;  // finished items of this call
  std::atomic<bool> ending_ = false;
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  std::vector<std::thread> others_;
};

}  // namespace dray
