#include "src/loop/checkpoint.h"

#include <filesystem>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/nets/checkpoint_file.h"

namespace dray {
namespace {

namespace fs = std::filesystem;

Checkpoint FromSections(const SectionReader& sections) {
  Checkpoint checkpoint;
  checkpoint.epoch = sections.Number<int64_t>("epoch");
  checkpoint.elapsed_s = sections.Number<double>("elapsed_s");
  checkpoint.best_return = sections.Number<double>("best_return");
  checkpoint.config_yaml = sections.Bytes("config");
  checkpoint.loop = sections.Bytes("loop");
  checkpoint.learner = sections.Bytes("learner");
  checkpoint.weights = sections.Bytes("weights");
  checkpoint.episodes = sections.Bytes("episodes");
  checkpoint.side_learner = sections.Bytes("side_learner");
  checkpoint.side_model = sections.Bytes("side_model");
  for (const std::string_view shard : sections.List("shards")) {
    checkpoint.shards.emplace_back(shard);
  }
  checkpoint.best_epoch = sections.Number<int64_t>("best_epoch");
  return checkpoint;
}

}  // namespace

std::string Checkpoint::ToBytes() const {
  SectionWriter out(CheckpointFormat());
  out.PutNumber("epoch", epoch);
  out.PutNumber("elapsed_s", elapsed_s);
  out.PutNumber("best_return", best_return);
  out.PutBytes("config", config_yaml);
  out.PutBytes("loop", loop);
  out.PutBytes("learner", learner);
  out.PutBytes("weights", weights);
  out.PutBytes("episodes", episodes);
  out.PutBytes("side_learner", side_learner);
  out.PutBytes("side_model", side_model);
  out.PutList("shards", shards);
  out.PutNumber("best_epoch", best_epoch);
  return out.Finish();
}

Checkpoint Checkpoint::FromBytes(std::string_view bytes, const std::string& path) {
  return FromSections(SectionReader(CheckpointFormat(), bytes, path));
}

Checkpoint Checkpoint::ForActing() const {
  Checkpoint part;
  part.epoch = epoch;
  part.elapsed_s = elapsed_s;
  part.best_return = best_return;
  part.best_epoch = best_epoch;
  part.config_yaml = config_yaml;
  part.weights = weights;
  part.side_model = side_model;
  return part;
}

Checkpoint CheckpointStore::LoadFile(const std::string& path) {
  return FromSections(CheckpointFile::Read(path).Sections());
}

CheckpointStore::Found CheckpointStore::Find(const std::string& path) {
  FoundCheckpoint found = FindCheckpoint(path);
  return {FromSections(found.file.Sections()), found.file.path, std::move(found.damaged)};
}

CheckpointStore::Found CheckpointStore::LoadNewest(const Check& check) const {
  Checkpoint checkpoint;
  FoundCheckpoint found = NewestCheckpoint(folder_, [&](const SectionReader& sections) {
    checkpoint = FromSections(sections);
    if (check) check(checkpoint);
  });
  return {std::move(checkpoint), std::move(found.file.path), std::move(found.damaged)};
}

void CheckpointStore::SaveNumbered(const Checkpoint& checkpoint) {
  WriteFileAtomically(NumberedCheckpointPath(folder_, checkpoint.epoch), checkpoint.ToBytes());
  // It is newer than the recovery checkpoint, which is now of no use.
  std::error_code ignored;
  fs::remove(RecoveryCheckpointPath(folder_), ignored);
  RemoveOld();
}

void CheckpointStore::SaveRecovery(const Checkpoint& checkpoint) {
  WriteFileAtomically(RecoveryCheckpointPath(folder_), checkpoint.ToBytes());
}

void CheckpointStore::SaveBest(const Checkpoint& checkpoint) const {
  WriteFileAtomically(folder_ + "/best.ckpt", checkpoint.ToBytes());
}

void CheckpointStore::RemoveOld() const {
  const auto numbered = NumberedCheckpoints(folder_);
  for (size_t i = policy_.keep; i < numbered.size(); ++i) {
    const bool milestone =
        policy_.milestone_interval > 0 && numbered[i].first % policy_.milestone_interval == 0;
    std::error_code ignored;  // one too many does no harm
    if (!milestone) fs::remove(numbered[i].second, ignored);
  }
}

bool CheckpointStore::empty() const { return HasNoCheckpoint(folder_); }

void CheckpointStore::RepairBest(const Found& newest) const {
  const Checkpoint& last = newest.checkpoint;
  if (last.best_epoch <= 0) return;
  try {
    if (LoadFile(folder_ + "/best.ckpt").epoch >= last.best_epoch) return;
  } catch (const Error&) {
    // There is none, or a damaged one.
  }
  if (last.best_epoch == last.epoch) return SaveBest(last);
  const std::string path = NumberedCheckpointPath(folder_, last.best_epoch);
  std::error_code ignored;
  if (fs::exists(path, ignored)) SaveBest(LoadFile(path));
}

void CheckpointStore::Repair(const Found& newest) const {
  RepairBest(newest);  // perhaps from one that is now one too many
  std::error_code ignored;
  const std::string recovery = RecoveryCheckpointPath(folder_);
  if (newest.path != recovery) fs::remove(recovery, ignored);
  RemoveOld();
}

}  // namespace dray
