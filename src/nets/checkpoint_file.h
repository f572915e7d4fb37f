#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "src/base/section_file.h"

namespace dray {

// Sections of the file in which a run stores a checkpoint. A policy is in two of them: `config`,
// the settings it was trained with, and `weights`; the others are the run's own.
const SectionFormat& CheckpointFormat();

// A checkpoint's file, in memory.
struct CheckpointFile {
  std::string path;
  std::string bytes;

  static CheckpointFile Read(const std::string& path);
  // A file that is no good checkpoint is an Error.
  SectionReader Sections() const { return SectionReader(CheckpointFormat(), bytes, path); }
};

struct FoundCheckpoint {
  CheckpointFile file;
  std::vector<std::string> damaged;  // newer files that could not be used, each with the reason
};

// Throws if a checkpoint cannot be used although its file is good. A failure counts as damage;
// wrong usage is passed on to the caller.
using CheckpointCheck = std::function<void(const SectionReader& sections)>;

// Finds the newest good checkpoint in the checkpoints/ folder of a run; an Error when there is
// none.
FoundCheckpoint NewestCheckpoint(const std::string& folder, const CheckpointCheck& check = nullptr);

// Finds a checkpoint by its file or by the folder of its run, whose newest it then is.
FoundCheckpoint FindCheckpoint(const std::string& path);

// Lists epoch and path of the numbered checkpoints in a checkpoints/ folder, newest first.
std::vector<std::pair<int64_t, std::string>> NumberedCheckpoints(const std::string& folder);
std::string NumberedCheckpointPath(const std::string& folder, int64_t epoch);
// Path of the newest of all, written between the numbered ones.
std::string RecoveryCheckpointPath(const std::string& folder);

// Returns whether the folder has no checkpoint of either kind.
bool HasNoCheckpoint(const std::string& folder);

}  // namespace dray
