#include "src/base/memory.h"

#include <unistd.h>

#include <fstream>

namespace dray {

double ResidentMegabytes() {
  std::ifstream in("/proc/self/statm");
  double pages = 0, resident = 0;
  in >> pages >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

}  // namespace dray
