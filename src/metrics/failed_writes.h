#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>

namespace dray {

// Writes that a run can do without for a while. What fails (a full disk, a folder that is gone) is
// said once, counted, and left to the next write to the same place.
class FailedWrites {
 public:
  using Say = std::function<void(const std::string& line)>;
  explicit FailedWrites(Say say) : say_(std::move(say)) {}

  // Writes, and returns whether it worked. `place` is what a person calls it; `meanwhile` is called
  // after a failure and says how the run continues.
  bool Try(
      const std::string& place, const std::function<void()>& write,
      const std::function<std::string()>& meanwhile = [] {
        return "the run goes on and tries again";
      });

  int64_t count() const { return count_; }
  void Count() { ++count_; }

 private:
  Say say_;
  int64_t count_ = 0;
  std::set<std::string> failing_;  // places whose last write failed
};

}  // namespace dray
