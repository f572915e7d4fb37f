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

// Threads that stay, for work of some microseconds: they spin for a moment after each call, and
// sleep when none follows. A thread that comes late is not waited for: the others do its share.
class ThreadTeam {
 public:
  // This many threads work, the caller among them.
  explicit ThreadTeam(int threads);
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ~ThreadTeam();

  // The caller and nobody else; any number of callers.
  static ThreadTeam& Alone();

  int threads() const { return working_.load(std::memory_order_relaxed); }
  int most_threads() const { return static_cast<int>(others_.size()) + 1; }
  // Into how many parts work of uneven length is best cut.
  int MostParts() const { return threads() == 1 ? 1 : std::min(kMostItems, 4 * threads()); }
  // From 1 to most_threads(): the others sleep.
  void Use(int threads);

  // Calls body(item) for every item from 0 to count - 1, at most 256, and returns when all are
  // done. Items that lie side by side go to the same thread, the same one in every call with as
  // many, unless it is late. The first exception is thrown again here. One caller at a time.
  template <typename Body>
  void For(int count, const Body& body) {
    if (threads() == 1 || count <= 1) {
      for (int item = 0; item < count; ++item) body(item);
      return;
    }
    Share(
        count, [](const void* work, int item) { (*static_cast<const Body*>(work))(item); }, &body);
  }

 private:
  using Call = void (*)(const void* work, int item);

  static constexpr int kMostItems = 256;

  void Share(int count, Call call, const void* work);
  void Serve(int member);
  // Does items of a call that nobody has begun, this thread's own first.
  void Work(int member, uint64_t number, int count, Call call, const void* work);

  // What is shared out at present, for readers who then find `number_` unchanged.
  std::atomic<uint64_t> number_ = 0;  // 2 more for each call; odd while the rest is written
  std::atomic<int> count_ = 0;
  std::atomic<Call> call_ = nullptr;
  std::atomic<const void*> work_ = nullptr;
  std::atomic<int> working_ = 1;  // threads that take part

  std::array<std::atomic<uint64_t>, kMostItems> begun_ = {};  // number of the last call that did
  std::atomic<int> done_ = 0;                                 // items of this call
  std::atomic<bool> ending_ = false;
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  std::vector<std::thread> others_;
};

}  // namespace dray
