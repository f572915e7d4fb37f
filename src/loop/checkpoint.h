#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace dray {

// A whole run between two updates: a run restored from it continues bit for bit.
struct Checkpoint {
  int64_t epoch = 0;
  double elapsed_s = 0;             // training time up to here
  double best_return = 0;           // best evaluation so far; NaN before the first
  std::string config_yaml;          // the resolved config it was trained with
  std::string loop;                 // Coordinator::Save
  std::string learner;              // Learner::Save
  std::string weights;              // Learner::Publish: enough to act and to evaluate
  std::string episodes;             // EpisodeWindow::Save, then EnvAccounts::Save
  std::string side_learner;         // SideLearner::Save; empty: the task has none
  std::string side_model;           // SideLearner::Publish, for environments
  std::vector<std::string> shards;  // EnvShard::Save of each
  int64_t best_epoch = 0;           // epoch of that evaluation; 0: none yet, or unknown

  // Returns the bytes of the file, with a checksum.
  std::string ToBytes() const;
  // Truncated, damaged or foreign bytes are an Error that names `path`.
  static Checkpoint FromBytes(std::string_view bytes, const std::string& path);

  // Returns a copy with what acting and evaluating need, and nothing else.
  Checkpoint ForActing() const;
};

// The checkpoints/ folder of a run:
//   epoch_00000050.ckpt  every save_interval epochs; the newest n and the milestones are kept
//   recovery.ckpt        the newest of all, written between the numbered ones
//   best.ckpt            the best by evaluation
// A save is committed by writing one of the first two. All other changes of a save follow from it,
// and Repair makes those that a killed process did not.
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
    std::vector<std::string> damaged;  // newer files that could not be used, with the reasons
  };
  // Throws if a checkpoint cannot be used although its file is good. A failure counts as damage;
  // wrong usage is passed on to the caller.
  using Check = std::function<void(const Checkpoint& checkpoint)>;
  // Loads the newest good checkpoint; an Error if there is none.
  Found LoadNewest(const Check& check = nullptr) const;
  // Completes the save of the newest good checkpoint.
  void Repair(const Found& newest) const;
  static Checkpoint LoadFile(const std::string& path);
  // Loads a checkpoint's file, or the newest checkpoint of a run's folder.
  static Found Find(const std::string& path);

  bool empty() const;

 private:
  void RemoveOld() const;
  void RepairBest(const Found& newest) const;

  std::string folder_;
  Policy policy_;
};

}  // namespace dray
