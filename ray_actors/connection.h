#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "src/api/dray.h"

namespace dray_ray {

class HeadWatch;
class PythonProgram;

// One-line error that says what is wrong with the cluster, where, and what to do next.
class ConnectionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  int exit_code() const { return 1; }
};

// Finds or starts a Ray cluster and checks it, so that ray::Init(info().address) will succeed.
//
//   RAY_ADDRESS=host:port     the cluster at that address, or an error
//   RAY_ADDRESS=auto          the cluster running on this machine, or an error
//   not set                   the cluster running on this machine, else a new head of our own
//
// A cluster on this machine is sent the token only if it belongs to this user or to root.
//
// A head of our own lives as long as this object. It ends with the process, even on SIGKILL. If the
// cluster dies during the run, Ray ends this process with exit code 1, after one line that says so.
//
// Ray's library reads RAY_AUTH_MODE when it is loaded, so load it after this object is constructed,
// with dlopen of a library that links it. Shut Ray down before destroying this object, and return
// from main: std::exit() would skip the destructor.
class Connection {
 public:
  struct Options {
    std::vector<std::string> files;       // must exist on every node, under the same path
    int own_head_cpus = 0;                // CPUs of a head of our own; 0: all CPUs
    double own_head_object_store_gb = 0;  // 0: Ray's default
  };

  // Throws ConnectionError.
  explicit Connection(const Options& options);
  ~Connection();

  const dray_cluster_info& info() const { return info_; }
  // Returns Ray's folder on this machine, with sessions and logs.
  const std::string& temp_dir() const { return temp_dir_; }
  // Returns true if this process started the cluster, which then ends with it.
  bool own_head() const { return own_head_ != nullptr; }
  // Tells a head of our own to remove its logs when it ends. By default it keeps them for a day.
  void DiscardLogs();

 private:
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void StartOwnHead(const Options& options);
  void Check(const Options& options, const std::string& address);

  dray_cluster_info info_{};
  std::string temp_dir_;
  std::string session_;
  bool wants_token_ = false;
  std::unique_ptr<PythonProgram> own_head_;
  std::unique_ptr<HeadWatch> head_watch_;  // destroyed before the head
};

}  // namespace dray_ray
