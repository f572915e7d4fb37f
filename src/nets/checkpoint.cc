#include "src/nets/checkpoint.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>

#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/base/file.h"

namespace dray {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "DRAYCKP2";
constexpr std::string_view kPrefix = "epoch_";
constexpr std::string_view kSuffix = ".ckpt";

std::string Pack(const Checkpoint& checkpoint) {
  ByteWriter out;
  out.Put(checkpoint.epoch);
  out.Put(checkpoint.elapsed_s);
  out.Put(checkpoint.best_return);
  out.PutString(checkpoint.config_yaml);
  out.PutString(checkpoint.loop);
  out.PutString(checkpoint.learner);
  out.PutString(checkpoint.weights);
  out.PutString(checkpoint.episodes);
  out.PutString(checkpoint.side_learner);
  out.PutString(checkpoint.side_model);
  out.Put<uint64_t>(checkpoint.shards.size());
  for (const std::string& shard : checkpoint.shards) out.PutString(shard);
  out.Put(checkpoint.best_epoch);
  return out.Take();
}

Checkpoint Unpack(std::string_view bytes, const std::string& path) {
  ByteReader in(bytes, path);
  Checkpoint checkpoint;
  checkpoint.epoch = in.Get<int64_t>();
  checkpoint.elapsed_s = in.Get<double>();
  checkpoint.best_return = in.Get<double>();
  checkpoint.config_yaml = in.GetString();
  checkpoint.loop = in.GetString();
  checkpoint.learner = in.GetString();
  checkpoint.weights = in.GetString();
  checkpoint.episodes = in.GetString();
  checkpoint.side_learner = in.GetString();
  checkpoint.side_model = in.GetString();
  const auto shards = in.Get<uint64_t>();
  for (uint64_t i = 0; i < shards; ++i) checkpoint.shards.push_back(in.GetString());
  // Checkpoints once ended here.
  if (!in.AtEnd()) checkpoint.best_epoch = in.Get<int64_t>();
  in.ExpectEnd();
  return checkpoint;
}

}  // namespace

std::string Checkpoint::ToBytes() const {
  const std::string body = Pack(*this);
  ByteWriter out;
  out.Put<uint64_t>(body.size());
  out.Put<uint32_t>(Crc32c(body));
  return std::string(kMagic) + out.bytes() + body;
}

Checkpoint Checkpoint::FromBytes(std::string_view bytes, const std::string& path) {
  if (!bytes.starts_with(kMagic)) {
    throw Failure(path, " is not a Dray checkpoint; give one from a run's checkpoints folder");
  }
  bytes.remove_prefix(kMagic.size());
  ByteReader header(bytes, path);
  const auto size = header.Get<uint64_t>();
  const auto crc = header.Get<uint32_t>();
  bytes.remove_prefix(sizeof(size) + sizeof(crc));
  if (bytes.size() != size) {
    throw Failure(path, " is truncated: ", bytes.size(), " of ", size, " bytes are there");
  }
  if (Crc32c(bytes) != crc) throw Failure(path, " is damaged: its checksum does not match");
  return Unpack(bytes, path);
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
  return Checkpoint::FromBytes(ReadFile(path), path);
}

CheckpointStore::Found CheckpointStore::Find(const std::string& path) {
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored)) return {LoadFile(path), path, {}};
  if (!fs::is_directory(path, ignored)) {
    throw UsageError(fs::absolute(path).string(),
                     ": no such folder or file on this machine; name the folder of a run, or one "
                     "of its checkpoints");
  }
  const CheckpointStore store(path + "/checkpoints", {});
  if (store.empty()) {
    throw UsageError(path, ": there is no checkpoint in ", path,
                     "/checkpoints; name the folder of a run that was trained, or a checkpoint's "
                     "file");
  }
  return store.LoadNewest();
}

std::string CheckpointStore::NumberedPath(int64_t epoch) const {
  char name[64];
  std::snprintf(name, sizeof(name), "/epoch_%08lld.ckpt", static_cast<long long>(epoch));
  return folder_ + name;
}

void CheckpointStore::SaveNumbered(const Checkpoint& checkpoint) {
  WriteFileAtomically(NumberedPath(checkpoint.epoch), checkpoint.ToBytes());
  // It is newer than the recovery checkpoint, which is now of no use.
  std::error_code ignored;
  fs::remove(folder_ + "/recovery.ckpt", ignored);
  RemoveOld();
}

void CheckpointStore::SaveRecovery(const Checkpoint& checkpoint) {
  WriteFileAtomically(folder_ + "/recovery.ckpt", checkpoint.ToBytes());
}

void CheckpointStore::SaveBest(const Checkpoint& checkpoint) const {
  WriteFileAtomically(folder_ + "/best.ckpt", checkpoint.ToBytes());
}

std::vector<std::pair<int64_t, std::string>> CheckpointStore::Numbered() const {
  std::vector<std::pair<int64_t, std::string>> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
    int64_t epoch = 0;
    const char* end = name.data() + name.size() - kSuffix.size();
    const auto parsed = std::from_chars(name.data() + kPrefix.size(), end, epoch);
    if (parsed.ec == std::errc() && parsed.ptr == end)
      found.emplace_back(epoch, entry.path().string());
  }
  std::ranges::sort(found, std::greater<>());
  return found;
}

void CheckpointStore::RemoveOld() const {
  const auto numbered = Numbered();
  for (size_t i = policy_.keep; i < numbered.size(); ++i) {
    const bool milestone =
        policy_.milestone_interval > 0 && numbered[i].first % policy_.milestone_interval == 0;
    std::error_code ignored;  // one too many does no harm
    if (!milestone) fs::remove(numbered[i].second, ignored);
  }
}

bool CheckpointStore::empty() const {
  std::error_code error;
  return Numbered().empty() && !fs::exists(folder_ + "/recovery.ckpt", error);
}

void CheckpointStore::RepairBest(const Found& newest) const {
  const Checkpoint& last = newest.checkpoint;
  if (last.best_epoch <= 0) return;
  try {
    if (LoadFile(folder_ + "/best.ckpt").epoch >= last.best_epoch) return;
  } catch (const Error&) {
    // There is none, or a damaged one.
  }
  if (last.best_epoch == last.epoch) return SaveBest(last);
  const std::string path = NumberedPath(last.best_epoch);
  std::error_code ignored;
  if (fs::exists(path, ignored)) SaveBest(LoadFile(path));
}

void CheckpointStore::Repair(const Found& newest) const {
  RepairBest(newest);  // perhaps from one that is now one too many
  std::error_code ignored;
  const std::string recovery = folder_ + "/recovery.ckpt";
  if (newest.path != recovery) fs::remove(recovery, ignored);
  RemoveOld();
}

CheckpointStore::Found CheckpointStore::LoadNewest(const Check& check) const {
  Found found;
  auto candidates = Numbered();
  const std::string recovery = folder_ + "/recovery.ckpt";
  std::error_code missing;
  if (fs::exists(recovery, missing)) {
    try {
      candidates.emplace_back(LoadFile(recovery).epoch, recovery);
    } catch (const Error& error) {
      found.damaged.push_back(error.what());
    }
  }
  std::ranges::stable_sort(candidates, std::greater<>(), [](const auto& c) { return c.first; });
  for (const auto& [epoch, path] : candidates) {
    try {
      found.checkpoint = LoadFile(path);
    } catch (const Error& error) {
      found.damaged.push_back(error.what());
      continue;
    }
    try {
      if (check) check(found.checkpoint);
      found.path = path;
      return found;
    } catch (const Error& error) {
      if (error.kind() == Error::Kind::kUsage) throw;
      found.damaged.push_back(Cat(path, " is damaged: ", error.what()));
    }
  }
  if (found.damaged.empty()) {
    throw Failure("no checkpoint in ", folder_, ": start the run without --resume");
  }
  throw Failure("no good checkpoint in ", folder_, " (", found.damaged.front(),
                found.damaged.size() > 1 ? Cat("; and ", found.damaged.size() - 1, " more") : "",
                "): start a new run in another --run-dir");
}

}  // namespace dray
