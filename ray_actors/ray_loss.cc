#include "ray_actors/ray_loss.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>

namespace dray_ray {
namespace {

// Never freed, because one of Ray's threads may read it while the process ends.
std::atomic<const std::string*> g_line{nullptr};

}  // namespace

void SayWhenRayIsLost(const std::string& line) {
  g_line = line.empty() ? nullptr : new std::string("dray: " + line + "\n");
}

}  // namespace dray_ray

// Replaces the C library's function in the whole process (the program exports it; see BUILD).
extern "C" [[noreturn]] void _Exit(int code) noexcept {
  const std::string* line = code == 0 ? nullptr : dray_ray::g_line.exchange(nullptr);
  if (line != nullptr && write(STDERR_FILENO, line->data(), line->size()) < 0) {
    // Nowhere left to report it.
  }
  _exit(code);
}
