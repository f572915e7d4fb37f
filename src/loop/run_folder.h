#pragma once

#include <string>

#include "src/config/config.pb.h"

namespace dray {

// The folder of one run, the unit of output:
//   config.yaml     the resolved config
//   metrics.jsonl   one object per report
//   events.out.*    the same for TensorBoard
//   checkpoints/    see checkpoint.h
//   weights.pt      the newest networks, for Python's torch.load
// Locked by one process at a time.
class RunFolder {
 public:
  // Makes the folder of a new run (named after the environment and the time if the config gives no
  // name), or opens that of a run to resume. An Error if a new run would overwrite one or mix with
  // other files, if there is none to resume, if another process trains there, or if it cannot be
  // written.
  RunFolder(const Config& config, bool resume);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  // Follows a folder that was moved: path() is then its new place, or the first path again if it
  // was deleted. Returns whether path() changed.
  bool Follow();

  const std::string& path() const { return path_; }
  std::string config_file() const { return path_ + "/config.yaml"; }
  std::string metrics_file() const { return path_ + "/metrics.jsonl"; }
  std::string weights_file() const { return path_ + "/weights.pt"; }
  std::string checkpoints() const { return path_ + "/checkpoints"; }

 private:
  // Throws an Error if a new run may not use the folder.
  void CheckNew() const;
  // Returns the folder that contains the lock now; empty: it was deleted.
  std::string Whereabouts() const;
  void Lock();
  // Removes files of a process that was killed while writing here.
  void RemoveLeftovers() const;

  std::string path_;
  std::string first_path_;
  int lock_ = -1;
};

}  // namespace dray
