#include "ray_actors/head_watch.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>
#include <utility>

namespace dray_ray {
namespace {

// Time for others to notice: the calls of a connected driver fail with a better message (see
// cluster_watch.h).
constexpr int kGrace_ms = 5000;

}  // namespace

HeadWatch::HeadWatch(int output, std::string line) : line_(std::move(line)) {
  if (pipe2(wake_, O_CLOEXEC) != 0) throw std::runtime_error("cannot create a pipe");
  thread_ = std::thread([this, output] { Watch(output); });
}

HeadWatch::~HeadWatch() {
  if (write(wake_[1], "x", 1) != 1) std::perror("dray");
  thread_.join();
  close(wake_[0]);
  close(wake_[1]);
}

void HeadWatch::Watch(int output) const {
  pollfd events[2] = {{wake_[0], POLLIN, 0}, {output, 0, 0}};  // 0: only the end of the pipe
  while (poll(events, 2, -1) < 0) {
  }
  if (events[0].revents != 0) return;
  if (poll(events, 1, kGrace_ms) == 1) return;
  std::fprintf(stderr, "dray: %s\n", line_.c_str());
  _exit(1);
}

}  // namespace dray_ray
