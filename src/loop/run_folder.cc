#include "src/loop/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <filesystem>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/config/user_path.h"
#include "src/nets/checkpoint.h"

namespace dray {
namespace {

namespace fs = std::filesystem;

constexpr char kAside[] = ".tmp";  // of WriteFileAtomically

std::string NewName(const std::string& env) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  char stamp[32];
  std::strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &local);
  const std::string name = UserPath(Cat("runs/", env, "-", stamp));
  std::string free = name;
  for (int i = 2; fs::exists(free); ++i) free = Cat(name, "-", i);
  return free;
}

}  // namespace

RunFolder::RunFolder(const Config& config, bool resume) : path_(config.run().dir()) {
  if (path_.empty()) {
    if (resume) throw UsageError("--resume needs the run to go on with: --resume RUN_FOLDER");
    path_ = NewName(config.env().name());
  }
  const bool has_config = fs::exists(config_file());
  const bool holds_run = has_config || !CheckpointStore(checkpoints(), {}).empty();
  if (resume && !has_config) {
    throw UsageError("nothing to resume in ", path_, ": it has no config.yaml of a run");
  }
  if (!resume && holds_run) {
    throw UsageError(
        path_, " already holds a run: add --resume to go on with it, or choose another --run-dir");
  }
  MakeWritableFolder(checkpoints());
  Lock();
  RemoveLeftovers();
}

RunFolder::~RunFolder() {
  if (lock_ >= 0) ::close(lock_);
}

void RunFolder::RemoveLeftovers() const {
  std::error_code ignored;
  for (const std::string& file : {config_file(), metrics_file(), weights_file()}) {
    fs::remove(file + kAside, ignored);
  }
  std::vector<fs::path> aside;
  for (const auto& entry : fs::directory_iterator(checkpoints(), ignored)) {
    if (entry.path().string().ends_with(Cat(".ckpt", kAside))) aside.push_back(entry.path());
  }
  for (const fs::path& path : aside) fs::remove(path, ignored);
}

void RunFolder::Lock() {
  lock_ = ::open((path_ + "/.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock_ < 0) throw CannotWrite(path_ + "/.lock", errno);
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) throw CannotWrite(path_ + "/.lock", errno);
    throw Failure("another process is training in ", path_,
                  ": wait for it, or choose another --run-dir");
  }
}

}  // namespace dray
