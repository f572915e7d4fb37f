#pragma once

#include <chrono>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "src/base/condition.h"

namespace dray {

// A queue between threads. Pop waits for an element; after Close it returns the remaining elements,
// then nothing.
template <typename T>
class BlockingQueue {
 public:
  void Push(T value) {
    {
      const std::lock_guard lock(mutex_);
      values_.push_back(std::move(value));
    }
    ready_.notify_one();
  }

  std::optional<T> Pop() {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [this] { return closed_ || !values_.empty(); });
    return TakeFirst();
  }

  // Returns nothing after `timeout_s` either.
  std::optional<T> Pop(double timeout_s) {
    std::unique_lock lock(mutex_);
    ready_.wait_for(lock, std::chrono::duration<double>(timeout_s),
                    [this] { return closed_ || !values_.empty(); });
    return TakeFirst();
  }

  // Closes the queue and drops the remaining elements.
  void Cancel() {
    {
      const std::lock_guard lock(mutex_);
      values_.clear();
    }
    Close();
  }

  void Close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    ready_.notify_all();
  }

 private:
  std::optional<T> TakeFirst() {
    if (values_.empty()) return std::nullopt;
    T value = std::move(values_.front());
    values_.pop_front();
    return value;
  }

  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<T> values_;
  bool closed_ = false;
};

}  // namespace dray
