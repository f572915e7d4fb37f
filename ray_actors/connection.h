#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "src/api/dray.h"

namespace dray_ray {

class HeadWatch;
class PythonProgram;

// One line that says what is wrong with the cluster, where, and what to do next.
class ConnectionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  int exit_code() const { return 1; }
};

// Finds a Ray cluster, or starts one, and checks it: ray::Init(info().address) will then succeed.
//
//   RAY_ADDRESS=host:port     that one, or an error
//   RAY_ADDRESS=auto          the one that runs on this machine, or an error
//   else                      the one that runs on this machine, else a head of our own
//
// One that runs on this machine must be of this user or root, or it is not sent the token.
//
// A head of our own lives as long as this object, and ends when the process does, even by SIGKILL.
// Should the cluster die during the run, Ray ends this process with exit code 1; one line says so
// first.
//
// Ray's library reads RAY_AUTH_MODE when it is loaded: load it afterwards, by dlopen of a library
// of ours that brings it. Shut Ray down before this goes, and let it go on the way out of main:
// std::exit() would skip it.
class Connection {
 public:
  struct Options {
    std::vector<std::string> files;       // must exist on every node, under the same path
    int own_head_cpus = 0;                // CPUs of a head of our own; 0: all of the machine
    double own_head_object_store_gb = 0;  // 0: Ray's own choice
  };

  // Throws ConnectionError.
  explicit Connection(const Options& options);
  ~Connection();

  const dray_cluster_info& info() const { return info_; }
  // Ray's folder on this machine: sessions and logs.
  const std::string& temp_dir() const { return temp_dir_; }
  // Whether the cluster was started by this process, and ends with it.
  bool own_head() const { return own_head_ != nullptr; }
  // Lets a head of our own remove its logs at its end; it keeps them for a day otherwise.
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
  std::unique_ptr<HeadWatch> head_watch_;  // goes before the head
};

}  // namespace dray_ray
