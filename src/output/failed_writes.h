#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>

namespace dray {

// Performs writes that a run can do without for a while. A failure (full disk, missing folder) is
// reported once and counted; the next write to the same place tries again.
class FailedWrites {
 public:
  using Say = std::function<void(const std::string& line)>;
  explicit FailedWrites(Say say) : say_(std::move(say)) {}

  // Writes and returns true on success. `place` is the name shown to the user; `meanwhile` is
  // called after a failure and describes how the run continues.
  bool Try(
      const std::string& place, const std::function<void()>& write,
      const std::function<std::string()>& meanwhile = [] {
        return "the run continues and will try again";
      });

  int64_t count() const { return count_; }
  void Count() { ++count_; }

 private:
  Say say_;
  int64_t count_ = 0;
  std::set<std::string> failing_;  // places where the last write failed
};

}  // namespace dray
