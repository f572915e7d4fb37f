#include "src/nets/checkpoint_file.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/installation.h"

namespace dray {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "epoch_";
constexpr std::string_view kSuffix = ".ckpt";

// Says why a checkpoint with this config cannot be used: damage, or another version of Dray.
std::string Blame(std::string_view config) {
  const std::string own = Cat("Dray ", kVersion);
  const std::string_view first = config.substr(0, config.find('\n'));
  if (!first.starts_with("# Dray ") || first.substr(2) == own) return "is damaged";
  return Cat("was written by ", first.substr(2), " and cannot be used by ", own);
}

}  // namespace

const SectionFormat& CheckpointFormat() {
  using enum Section::Form;
  static const SectionFormat format = {
      .mark = "DRAYCKP2",
      .description = "a Dray checkpoint; give one from a run's checkpoints folder",
      .sections = {{"epoch", kNumber},
                   {"elapsed_s", kNumber},
                   {"best_return", kNumber},
                   {"config"},
                   {"loop"},
                   {"learner"},
                   {"weights"},
                   {"episodes"},
                   {"side_learner"},
                   {"side_model"},
                   {"shards", kList},
                   {"best_epoch", kNumber, /*added_later=*/true}}};
  return format;
}

CheckpointFile CheckpointFile::Read(const std::string& path) { return {path, ReadFile(path)}; }

std::vector<std::pair<int64_t, std::string>> NumberedCheckpoints(const std::string& folder) {
  std::vector<std::pair<int64_t, std::string>> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
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

std::string NumberedCheckpointPath(const std::string& folder, int64_t epoch) {
  char name[64];
  std::snprintf(name, sizeof(name), "/epoch_%08lld.ckpt", static_cast<long long>(epoch));
  return folder + name;
}

std::string RecoveryCheckpointPath(const std::string& folder) { return folder + "/recovery.ckpt"; }

bool HasNoCheckpoint(const std::string& folder) {
  std::error_code error;
  return NumberedCheckpoints(folder).empty() && !fs::exists(RecoveryCheckpointPath(folder), error);
}

FoundCheckpoint NewestCheckpoint(const std::string& folder, const CheckpointCheck& check) {
  FoundCheckpoint found;
  auto candidates = NumberedCheckpoints(folder);
  const std::string recovery = RecoveryCheckpointPath(folder);
  std::error_code missing;
  if (fs::exists(recovery, missing)) {
    try {
      const CheckpointFile file = CheckpointFile::Read(recovery);
      candidates.emplace_back(file.Sections().Number<int64_t>("epoch"), recovery);
    } catch (const Error& error) {
      found.damaged.push_back(error.what());
    }
  }
  std::ranges::stable_sort(candidates, std::greater<>(), [](const auto& c) { return c.first; });
  for (const auto& [epoch, path] : candidates) {
    std::string blame;  // empty: the file is not whole
    try {
      found.file = CheckpointFile::Read(path);
      const SectionReader sections = found.file.Sections();
      blame = Blame(sections.Bytes("config"));
      if (check) check(sections);
      return found;
    } catch (const Error& error) {
      if (!blame.empty() && error.kind() == Error::Kind::kUsage) throw;
      found.damaged.push_back(blame.empty() ? error.what()
                                            : Cat(path, " ", blame, ": ", error.what()));
    }
  }
  if (found.damaged.empty()) {
    throw Failure("no checkpoint in ", folder, ": start the run without --resume");
  }
  throw Failure("no good checkpoint in ", folder, " (", found.damaged.front(),
                found.damaged.size() > 1 ? Cat("; and ", found.damaged.size() - 1, " more") : "",
                "): start a new run in another --run-dir");
}

FoundCheckpoint FindCheckpoint(const std::string& path) {
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored)) return {CheckpointFile::Read(path), {}};
  if (!fs::is_directory(path, ignored)) {
    throw UsageError(fs::absolute(path).string(),
                     ": no such folder or file on this machine; name the folder of a run, or one "
                     "of its checkpoints");
  }
  const std::string folder = path + "/checkpoints";
  if (HasNoCheckpoint(folder)) {
    throw UsageError(path, ": there is no checkpoint in ", folder,
                     "; name the folder of a run that was trained, or a checkpoint's file");
  }
  return NewestCheckpoint(folder);
}

}  // namespace dray
