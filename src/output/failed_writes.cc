#include "src/output/failed_writes.h"

#include "src/base/error.h"

namespace dray {

bool FailedWrites::Try(const std::string& place, const std::function<void()>& write,
                       const std::function<std::string()>& meanwhile) {
  try {
    write();
  } catch (const Error& error) {
    ++count_;
    if (failing_.insert(place).second) say_(Cat("Warning: ", error.what(), "; ", meanwhile()));
    return false;
  }
  if (failing_.erase(place) > 0) say_(Cat(place, ": can be written again"));
  return true;
}

}  // namespace dray
