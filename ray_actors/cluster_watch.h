#pragma once

#include <atomic>
#include <string>
#include <thread>

namespace dray_ray {

// Notices that Ray ended under a driver. Ray itself either waits for a minute and then ends the
// process without a word, or aborts with a stack trace; here, calls fail with one line, and a
// driver that is stuck inside Ray is ended with that line.
class ClusterWatch {
 public:
  // After ray::Init: watches the raylet that this process is connected to, and the address of the
  // cluster's control service (host:port).
  explicit ClusterWatch(const std::string& address);
  ~ClusterWatch();
  ClusterWatch(const ClusterWatch&) = delete;
  ClusterWatch& operator=(const ClusterWatch&) = delete;

  // Throws when Ray has ended.
  void Check() const;
  bool ended() const { return ended_; }

 private:
  void Watch();
  void EndUnlessStopped();

  std::string address_;
  int raylet_ = -1;  // our copy of the connection to the raylet
  int wake_[2];
  std::atomic<bool> ended_{false};
  std::string reason_;  // written once, before ended_
  std::thread thread_;
};

}  // namespace dray_ray
