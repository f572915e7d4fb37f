#include "src/base/memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace dray {
namespace {

// Returns -1 if the file does not exist or says "max".
int64_t NumberIn(const std::string& file) {
  std::ifstream in(file);
  int64_t number = -1;
  return in >> number ? number : -1;
}

}  // namespace

double ResidentMegabytes() {
  std::ifstream in("/proc/self/statm");
  double pages = 0, resident = 0;
  in >> pages >> resident;
  return resident * ::sysconf(_SC_PAGESIZE) / (1 << 20);
}

int64_t MachineMemoryBytes() {
  return int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE);
}

int64_t FreeMemoryBytes(const std::string& root) {
  int64_t free_bytes = std::numeric_limits<int64_t>::max();
  std::ifstream in(root + "/proc/meminfo");
  for (std::string name, unit; in >> name;) {
    int64_t kilobytes = 0;
    if (!(in >> kilobytes)) break;
    std::getline(in, unit);
    if (name == "MemAvailable:") free_bytes = 1024 * kilobytes;
  }
  for (const char* limit : {"memory.max", "memory/memory.limit_in_bytes"}) {
    const int64_t most = NumberIn(root + "/sys/fs/cgroup/" + limit);
    if (most >= 0) free_bytes = std::min(free_bytes, most);
  }
  return free_bytes;
}

}  // namespace dray
