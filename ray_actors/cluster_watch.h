#pragma once

#include <atomic>
#include <string>
#include <thread>

namespace dray_ray {

// Detects that Ray has ended while a driver uses it. Left alone, Ray either waits for a minute and
// then ends the process silently, or aborts with a stack trace. With the watch, calls fail within
// 10 s with one line that names a log file; if the driver is stuck inside Ray, the watch prints
// that line and ends the process.
class ClusterWatch {
 public:
  // Watches the raylet this process is connected to, and the cluster's control service at `address`
  // (host:port). Call after ray::Init.
  explicit ClusterWatch(const std::string& address);
  ~ClusterWatch();
  ClusterWatch(const ClusterWatch&) = delete;
  ClusterWatch& operator=(const ClusterWatch&) = delete;

  // Throws if Ray has ended. Notices the end of the raylet immediately, before the watching thread.
  void Check() const;
  bool ended() const { return ended_ || RayletHasEnded(); }

 private:
  bool RayletHasEnded() const;
  std::string RayletLine() const;
  void Watch();
  void EndUnlessStopped();
  // Returns the log file of the Ray component with this log name, or the raylet's if there is none.
  std::string LogOf(const std::string& name) const;

  std::string address_;
  std::string raylet_socket_;  // path of the raylet's socket, in the folder of Ray's session
  int raylet_;                 // copy of the connection to it; its initializer sets the path
  int wake_[2];
  std::atomic<bool> ended_{false};
  std::string reason_;  // written once, before ended_
  std::thread thread_;
};

}  // namespace dray_ray
