#include "ray_actors/joining.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace dray_ray {
namespace {

int standard_error = -1;  // the process's own, while Ray's lines go elsewhere

void Say(const char* text, size_t size) {
  if (write(standard_error, text, size) < 0) return;  // nowhere left to say it
}

// The reason in what Ray wrote, "… Check failed: reason"; only calls that a signal handler may make.
void SayWhy(int written) {
  static char text[16384];
  const ssize_t size = pread(written, text, sizeof(text) - 1, 0);
  text[size < 0 ? 0 : size] = '\0';
  const char* reason = std::strstr(text, "Check failed");
  static const char failed[] = "dray: Ray could not be joined: ";
  Say(failed, sizeof(failed) - 1);
  if (reason == nullptr) reason = "it aborted";
  Say(reason, std::strcspn(reason, "\n"));
  Say("\n", 1);
}

void EndAborted(int) {
  SayWhy(STDERR_FILENO);
  _exit(1);
}

void FlushAndLeave(int status, void*) {
  std::fflush(nullptr);
  _exit(status);
}

}  // namespace

void JoinQuietly(ray::RayConfig& config) {
  // Ray's own lines are for its log files; the driver's output is the run's.
  setenv("RAY_BACKEND_LOG_LEVEL", "fatal", /*overwrite=*/0);
  const int aside = memfd_create("ray", MFD_CLOEXEC);
  standard_error = dup(STDERR_FILENO);
  if (aside < 0 || standard_error < 0 || dup2(aside, STDERR_FILENO) < 0) {
    ray::Init(config);
    return;
  }
  close(aside);
  struct sigaction aborted{}, before{};
  aborted.sa_handler = EndAborted;
  sigaction(SIGABRT, &aborted, &before);
  try {
    ray::Init(config);
  } catch (...) {
    dup2(standard_error, STDERR_FILENO);
    throw;
  }
  dup2(standard_error, STDERR_FILENO);
  close(standard_error);
  struct sigaction now{};
  // Ray puts handlers of its own in place, which are left alone.
  if (sigaction(SIGABRT, nullptr, &now) == 0 && now.sa_handler == EndAborted) {
    sigaction(SIGABRT, &before, nullptr);
  }
}

void LeaveWithoutRay() { on_exit(FlushAndLeave, nullptr); }

}  // namespace dray_ray
