#pragma once

#include <atomic>
#include <string>
#include <thread>

namespace dray_ray {

// Notices that Ray ended under a driver. Ray itself either waits for a minute and then ends the
// process without a word, or aborts with a stack trace; here, calls fail within 10 s with one line
// that names a log file. A driver that is stuck inside Ray prints that line and is then ended.
class ClusterWatch {
 public:
  // After ray::Init: watches the raylet that this process is connected to, and the address of the
  // cluster's control service (host:port).
  explicit ClusterWatch(const std::string& address);
  ~ClusterWatch();
  ClusterWatch(const ClusterWatch&) = delete;
  ClusterWatch& operator=(const ClusterWatch&) = delete;

  // Throws when Ray has ended. Sees the end of the raylet at once, before the watching thread does.
  void Check() const;
  bool ended() const { return ended_ || RayletHasEnded(); }

 private:
  bool RayletHasEnded() const;
  std::string RayletLine() const;
  void Watch();
  void EndUnlessStopped();
  // The file to look into, of a part of Ray that logs to this name; the raylet's if it has none.
  std::string LogOf(const std::string& name) const;

  std::string address_;
  std::string raylet_socket_;  // the raylet's path, in the folder of Ray's session
  int raylet_;                 // our copy of the connection to it; opening it sets the path
  int wake_[2];
  std::atomic<bool> ended_{false};
  std::string reason_;  // written once, before ended_
  std::thread thread_;
};

}  // namespace dray_ray
