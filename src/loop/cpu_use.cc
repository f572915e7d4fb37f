#include "src/loop/cpu_use.h"

#include <cmath>
#include <fstream>
#include <string>
#include <utility>

namespace dray {

CpuUse::CpuUse() : last_(Read()) {}

CpuUse::Ticks CpuUse::Read() {
  std::ifstream in("/proc/stat");
  std::string name;
  double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupts = 0, soft = 0;
  in >> name >> user >> nice >> system >> idle >> waiting >> interrupts >> soft;
  if (!in || name != "cpu") return {};
  const double busy = user + nice + system + interrupts + soft;
  return {busy, busy + idle + waiting};
}

double CpuUse::TakeShare() {
  const Ticks now = Read(), before = std::exchange(last_, now);
  const double all = now.all - before.all;
  return all > 0 ? (now.busy - before.busy) / all : std::nan("");
}

}  // namespace dray
