#include "ray_actors/cluster_watch.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace dray_ray {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPeriod_ms = 1000;
// A restarting control service is unreachable for a moment. Elapsed time alone is not enough,
// because this process may have been suspended: several attempts must fail as well.
constexpr std::chrono::seconds kSilence{4};
constexpr int kMisses = 3;
// Time for the engine to end by itself: before the line is printed here, then before the process is
// ended.
constexpr int kQuiet_ms = 3000;
constexpr int kGrace_ms = 7000;
constexpr char kSockets[] = "/sockets/";

// Duplicates this process's connection to its raylet, a named socket that closes when the raylet
// ends. Returns -1 if there is none.
int RayletConnection(std::string* path) {
  DIR* folder = opendir("/proc/self/fd");
  if (folder == nullptr) return -1;
  int copy = -1;
  while (dirent* entry = readdir(folder)) {
    const int fd = std::atoi(entry->d_name);
    sockaddr_un peer{};
    socklen_t size = sizeof(peer);
    if (fd <= 2 || getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0) continue;
    if (peer.sun_family != AF_UNIX || std::strstr(peer.sun_path, "/sockets/raylet") == nullptr) {
      continue;
    }
    *path = peer.sun_path;
    copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    break;
  }
  closedir(folder);
  return copy;
}

bool Answers(const std::string& address, int timeout_ms) {
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos) return true;
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  if (getaddrinfo(address.substr(0, colon).c_str(), address.substr(colon + 1).c_str(), &hints,
                  &found) != 0) {
    return false;
  }
  bool answers = false;
  const int fd = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd >= 0) {
    answers = connect(fd, found->ai_addr, found->ai_addrlen) == 0;
    if (!answers && errno == EINPROGRESS) {
      pollfd ready{fd, POLLOUT, 0};
      int error = 0;
      socklen_t size = sizeof(error);
      answers = poll(&ready, 1, timeout_ms) == 1 &&
                getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
    }
    close(fd);
  }
  freeaddrinfo(found);
  return answers;
}

}  // namespace

ClusterWatch::ClusterWatch(const std::string& address)
    : address_(address), raylet_(RayletConnection(&raylet_socket_)) {
  if (pipe2(wake_, O_CLOEXEC) != 0) throw std::runtime_error("cannot create a pipe");
  thread_ = std::thread([this] { Watch(); });
}

ClusterWatch::~ClusterWatch() {
  if (write(wake_[1], "x", 1) != 1) std::perror("dray");
  thread_.join();
  close(wake_[0]);
  close(wake_[1]);
  if (raylet_ >= 0) close(raylet_);
}

void ClusterWatch::Check() const {
  if (ended_) throw std::runtime_error(reason_);
  if (RayletHasEnded()) throw std::runtime_error(RayletLine());
}

bool ClusterWatch::RayletHasEnded() const {
  // Only POLLRDHUP: the data that the raylet sends is for Ray to read.
  pollfd event{raylet_, POLLRDHUP, 0};
  return poll(&event, 1, 0) == 1;
}

std::string ClusterWatch::RayletLine() const {
  return "Ray on this machine has ended (its raylet closed the connection): see " + LogOf("raylet");
}

void ClusterWatch::Watch() {
  int misses = 0;
  auto answered = Clock::now();
  for (;;) {
    pollfd events[2] = {{wake_[0], POLLIN, 0}, {raylet_, POLLRDHUP, 0}};
    poll(events, 2, kPeriod_ms);
    if (events[0].revents != 0) return;
    if (events[1].revents != 0) {
      reason_ = RayletLine();
      break;
    }
    if (Answers(address_, kPeriod_ms)) {
      misses = 0;
      answered = Clock::now();
    } else if (++misses >= kMisses && Clock::now() - answered > kSilence) {
      reason_ = "Ray at " + address_ + " has ended (its control service does not answer): see " +
                LogOf("gcs_server");
      break;
    }
  }
  ended_ = true;
  EndUnlessStopped();
}

void ClusterWatch::EndUnlessStopped() {
  pollfd stopped{wake_[0], POLLIN, 0};
  if (poll(&stopped, 1, kQuiet_ms) == 1) return;
  std::fprintf(stderr, "dray: %s\n", reason_.c_str());
  if (poll(&stopped, 1, kGrace_ms) == 1) return;
  _exit(1);
}

std::string ClusterWatch::LogOf(const std::string& name) const {
  const size_t sockets = raylet_socket_.rfind(kSockets);
  if (sockets == std::string::npos) return "Ray's logs";
  const std::string logs = raylet_socket_.substr(0, sockets) + "/logs/";
  const std::string file = logs + name + ".out";
  if (access(file.c_str(), R_OK) == 0) return file;
  return logs + raylet_socket_.substr(sockets + sizeof(kSockets) - 1) + ".out";
}

}  // namespace dray_ray
