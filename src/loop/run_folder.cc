#include "src/loop/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/json.h"
#include "src/config/user_path.h"
#include "src/loop/checkpoint.h"

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

// JsonText replaces other bytes.
bool IsUtf8(const std::string& text) { return ParsedJson(JsonText(text)) == Json(text); }

bool IsHome(const std::string& path) {
  const char* home = std::getenv("HOME");
  std::error_code ignored;
  return home != nullptr && fs::equivalent(path, home, ignored);
}

// Left by a start that was killed, put there by the one who starts the run, or by the file system.
bool MayLieInANewFolder(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  if (name == "checkpoints") {
    std::error_code ignored;
    return std::ranges::all_of(fs::directory_iterator(entry.path(), ignored), [](const auto& file) {
      return file.path().filename() == ".writable";
    });
  }
  for (const char* ending : {".log", ".out", ".err"}) {
    if (name.ends_with(ending)) return true;
  }
  return name == ".lock" || name == Cat("config.yaml", kAside) || name == "lost+found";
}

}  // namespace

RunFolder::RunFolder(const Config& config, bool resume) : path_(config.run().dir()) {
  if (path_.empty()) {
    if (resume) throw UsageError("--resume needs a run folder: --resume RUN_FOLDER");
    path_ = NewName(config.env().name());
  }
  const bool has_config = fs::exists(config_file());
  const bool holds_run = has_config || !CheckpointStore(checkpoints(), {}).empty();
  if (resume && !has_config) {
    throw UsageError("nothing to resume in ", path_, ": it has no config.yaml of a run");
  }
  if (!resume && holds_run) {
    throw UsageError(
        path_, " already holds a run: add --resume to continue it, or choose another --run-dir");
  }
  if (!resume) CheckNew();
  first_path_ = path_;
  MakeWritableFolder(checkpoints());
  Lock();
  RemoveLeftovers();
}

RunFolder::~RunFolder() {
  if (lock_ >= 0) ::close(lock_);
}

void RunFolder::CheckNew() const {
  constexpr char kRemedy[] = "choose a folder for this run alone, such as --run-dir runs/first";
  if (!IsUtf8(path_) || path_.find_first_of("\r\n") != std::string::npos) {
    throw UsageError(JsonText(path_), ": the name of a run folder must be one line of UTF-8 text; ",
                     kRemedy);
  }
  std::error_code ignored;
  if (fs::equivalent(path_, "/", ignored) || IsHome(path_)) {
    throw UsageError(path_, ": the ", IsHome(path_) ? "home" : "root",
                     " folder cannot be the folder of a run; ", kRemedy);
  }
  for (const auto& entry : fs::directory_iterator(path_, ignored)) {
    if (MayLieInANewFolder(entry)) continue;
    throw UsageError(path_, ": is not empty (", entry.path().filename().string(),
                     ") and holds no run; ", kRemedy);
  }
}

std::string RunFolder::Whereabouts() const {
  struct stat held {};
  if (::fstat(lock_, &held) != 0) return "";
  const auto has_lock = [&](const std::string& folder) {
    struct stat found {};
    return ::stat((folder + "/.lock").c_str(), &found) == 0 && found.st_dev == held.st_dev &&
           found.st_ino == held.st_ino;
  };
  for (const std::string& known : {path_, first_path_}) {
    if (has_lock(known)) return known;
  }
  std::error_code error;
  const fs::path link = fs::read_symlink(Cat("/proc/self/fd/", lock_), error);
  const std::string folder = link.parent_path().string();
  return !error && has_lock(folder) ? folder : "";
}

bool RunFolder::Follow() {
  const std::string now = Whereabouts();
  const std::string before = std::exchange(path_, now.empty() ? first_path_ : now);
  return path_ != before;
}

void RunFolder::RemoveLeftovers() const {
  std::error_code ignored;
  for (const std::string& file :
       {config_file(), metrics_file(), weights_file(), path_ + "/heartbeats.txt"}) {
    fs::remove(file + kAside, ignored);
  }
  std::vector<fs::path> aside;
  for (const auto& entry : fs::directory_iterator(checkpoints(), ignored)) {
    if (entry.path().string().ends_with(Cat(".ckpt", kAside))) aside.push_back(entry.path());
  }
  for (const fs::path& path : aside) fs::remove(path, ignored);
}

void RunFolder::Lock() {
  lock_ = OpenToWrite(path_ + "/.lock", O_RDWR);
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) throw CannotWrite(path_ + "/.lock", errno);
    throw Failure("another process is training in ", path_,
                  ": wait for it, or choose another --run-dir");
  }
}

}  // namespace dray
