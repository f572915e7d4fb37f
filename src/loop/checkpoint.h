#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace dray {

// A whole run between two updates: restored from it, the run goes on bit for bit.
struct Checkpoint {
  int64_t epoch = 0;
  double elapsed_s = 0;             // training time up to here
  double best_return = 0;           // of the best evaluation so far; NaN before the first
  std::string config_yaml;          // the resolved config it was trained with
  std::string loop;                 // Coordinator::Save
  std::string learner;              // Learner::Save
  std::string weights;              // Learner::Publish: all that acting and evaluating need
  std::string episodes;             // EpisodeWindow::Save, then EnvAccounts::Save
  std::string side_learner;         // SideLearner::Save; empty: the task has none
  std::string side_model;           // SideLearner::Publish: what environments go by
  std::vector<std::string> shards;  // EnvShard::Save of each
  int64_t best_epoch = 0;           // of the best evaluation so far; 0: none yet, or not known

  // With a checksum over everything.
  std::string ToBytes() const;
  // Bytes that are truncated, damaged or something else are an Error that names `path`.
  static Checkpoint FromBytes(std::string_view bytes, const std::string& path);

  // All that acting and evaluating need, without what a training needs to resume.
  Checkpoint ForActing() const;
};

// The checkpoints/ folder of a run:
//   epoch_00000050.ckpt  every save_interval epochs: the newest n and the milestones are kept
//   recovery.ckpt        the newest of all, written between those
//   best.ckpt            the best by evaluation
// One of the first two is what a save comes down to: it is there or it is not. What else a save
// changes follows from it, and Repair makes up for what a process that was killed did not do.
class CheckpointStore {
 public:
  struct Policy {
    int keep = 3;
    int milestone_interval = 0;  // epochs; 0: none
  };

  CheckpointStore(std::string folder, Policy policy)
      : folder_(std::move(folder)), policy_(policy) {}

  void SaveNumbered(const Checkpoint& checkpoint);
  void SaveRecovery(const Checkpoint& checkpoint);
  void SaveBest(const Checkpoint& checkpoint) const;

  struct Found {
    Checkpoint checkpoint;
    std::string path;
    std::vector<std::string> damaged;  // newer files that could not be used, each with the reason
  };
  // Throws when a checkpoint that is whole cannot be used all the same. A failure makes it a
  // damaged one; wrong usage is thrown on.
  using Check = std::function<void(const Checkpoint& checkpoint)>;
  // The newest good checkpoint; an Error when there is none.
  Found LoadNewest(const Check& check = nullptr) const;
  // Makes the folder what it is after the whole save of its newest good checkpoint.
  void Repair(const Found& newest) const;
  static Checkpoint LoadFile(const std::string& path);
  // By a run's folder, whose newest it is, or by a checkpoint's file.
  static Found Find(const std::string& path);

  bool empty() const;

 private:
  void RemoveOld() const;
  void RepairBest(const Found& newest) const;

  std::string folder_;
  Policy policy_;
};

}  // namespace dray
