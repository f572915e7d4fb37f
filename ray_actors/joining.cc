#include "ray_actors/joining.h"

#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace dray_ray {
namespace {

constexpr char kLogLevel[] = "RAY_BACKEND_LOG_LEVEL";
constexpr int kFatal = 3;  // ray::RayLogLevel::FATAL

// Silences the lines that Ray prints before it reads its variable.
void QuietFirstLines() {
  void* ray = dlopen("libray_api.so", RTLD_LAZY | RTLD_NOLOAD);
  if (ray == nullptr) return;
  void* threshold = dlsym(ray, "_ZN3ray6RayLog19severity_threshold_E");
  if (threshold != nullptr) *static_cast<int*>(threshold) = kFatal;
  dlclose(ray);
}

// Restores the process's signal handlers. Ray installs handlers that print a stack trace, even for
// an ordinary SIGTERM.
class SignalsKept {
 public:
  SignalsKept() {
    for (size_t i = 0; i < kCount; ++i) sigaction(kSignals[i], nullptr, &before_[i]);
  }
  ~SignalsKept() {
    for (size_t i = 0; i < kCount; ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  static constexpr size_t kCount = sizeof(kSignals) / sizeof(kSignals[0]);
  struct sigaction before_[kCount];
};

void FlushAndLeave(int status, void*) {
  std::fflush(nullptr);
  _exit(status);
}

}  // namespace

void JoinQuietly(ray::RayConfig& config) {
  if (std::getenv(kLogLevel) == nullptr) {
    setenv(kLogLevel, "fatal", /*overwrite=*/0);
    QuietFirstLines();
  }
  const SignalsKept kept;
  ray::Init(config);
}

void LeaveWithoutRay() { on_exit(FlushAndLeave, nullptr); }

}  // namespace dray_ray
