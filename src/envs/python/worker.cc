#include "src/envs/python/worker.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/base/stopwatch.h"

namespace dray {
namespace {

constexpr int kRepliesInWorker = 3, kMemoryInWorker = 4;
constexpr int kFirstFree = 16;        // above all descriptors that have a meaning in the worker
constexpr int kLookAgain_ms = 200;    // between looks whether a silent worker is still there
constexpr double kClosingTime_s = 5;  // for environments to close
constexpr uint64_t kMostReply = uint64_t{1} << 32;

Error CannotStart(const std::string& program, int error) {
  return Failure("Python worker ", program, ": ", std::strerror(error));
}

// Moves a descriptor out of the range that the worker uses.
int Moved(int descriptor) {
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, kFirstFree);
  ::close(descriptor);
  return moved;
}

// A worker that has ended must not end this process by SIGPIPE. Commands ignore it anyway.
void IgnoreBrokenPipes() {
  struct sigaction now;
  ::sigaction(SIGPIPE, nullptr, &now);
  if (now.sa_handler == SIG_DFL) ::signal(SIGPIPE, SIG_IGN);
}

// Resets signals in the worker, which has its own session: Ctrl-C reaches only this process.
void SetSignals(posix_spawnattr_t* attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setsigdefault(attributes, &all);
  posix_spawnattr_setflags(attributes,
                           POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

WorkerProblem Lost(std::string what) {
  return {
      .kind = WorkerProblem::Kind::kLost, .what = std::move(what), .where = {}, .traceback = {}};
}

WorkerProblem ProblemOf(const std::string& text) {
  const Json json = ParsedJson(text);
  if (!json.is_object()) return Lost("sent an unreadable reply");
  using Kind = WorkerProblem::Kind;
  return {.kind = json.value("usage", false) ? Kind::kUsage : Kind::kException,
          .what = json.value("what", ""),
          .where = json.value("where", ""),
          .traceback = json.value("traceback", ""),
          .row = json.value("row", -1)};
}

}  // namespace

PythonWorker::PythonWorker(std::vector<std::string> command) : command_(std::move(command)) {
  IgnoreBrokenPipes();
  memory_file_ = ::memfd_create("dray", MFD_CLOEXEC);
  if (memory_file_ < 0) throw CannotStart(command_[0], errno);
  memory_file_ = Moved(memory_file_);
  Start();
}

PythonWorker::~PythonWorker() {
  End();
  if (!memory_.empty()) ::munmap(memory_.data(), memory_.size());
  ::close(memory_file_);
}

void PythonWorker::Start() {
  int to_worker[2], from_worker[2];
  if (::pipe2(to_worker, O_CLOEXEC) != 0) throw CannotStart(command_[0], errno);
  if (::pipe2(from_worker, O_CLOEXEC) != 0) {
    const int error = errno;
    ::close(to_worker[0]);
    ::close(to_worker[1]);
    throw CannotStart(command_[0], error);
  }
  for (int* end : {&to_worker[0], &to_worker[1], &from_worker[0], &from_worker[1]}) {
    *end = Moved(*end);
  }
  commands_ = to_worker[1];
  replies_ = from_worker[0];
  std::vector<std::string> words = command_;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, to_worker[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, from_worker[1], kRepliesInWorker);
  posix_spawn_file_actions_adddup2(&files, memory_file_, kMemoryInWorker);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  SetSignals(&attributes);
  const int error =
      ::posix_spawnp(&pid_, arguments[0], &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  ::close(to_worker[0]);
  ::close(from_worker[1]);
  if (error == 0) return;
  ::close(commands_);
  ::close(replies_);
  ::close(memory_file_);
  throw CannotStart(command_[0], error);
}

void PythonWorker::End() {
  ::close(commands_);
  ::close(replies_);
  const Stopwatch watch;
  while (idle_ && !Ended() && watch.seconds() < kClosingTime_s) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (pid_ < 0) return;
  ::kill(-pid_, SIGKILL);
  ::waitpid(std::exchange(pid_, -1), nullptr, 0);
}

void PythonWorker::Resize(size_t size) {
  if (!memory_.empty()) ::munmap(memory_.data(), memory_.size());
  memory_ = {};
  // From nothing, so that all of it is 0.
  if (::ftruncate(memory_file_, 0) != 0 || ::ftruncate(memory_file_, size) != 0) {
    throw CannotStart(command_[0], errno);
  }
  void* mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory_file_, 0);
  if (mapped == MAP_FAILED) throw CannotStart(command_[0], errno);
  memory_ = {static_cast<std::byte*>(mapped), size};
}

void PythonWorker::Tell(WorkerCommand command) {
  idle_ = false;
  const char byte = static_cast<char>(command);
  Write({&byte, 1});
}

void PythonWorker::Tell(WorkerCommand command, std::string_view data) {
  Tell(command);
  const uint64_t size = data.size();
  Write({reinterpret_cast<const char*>(&size), sizeof(size)});
  Write(data);
}

// Errors are left to Await, which finds that the worker has ended.
void PythonWorker::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(commands_, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) bytes.remove_prefix(written);
  }
}

bool PythonWorker::Read(std::span<char> bytes) {
  while (!bytes.empty()) {
    const ssize_t found = ::read(replies_, bytes.data(), bytes.size());
    if (found == 0 || (found < 0 && errno != EINTR)) return false;
    if (found > 0) bytes = bytes.subspan(found);
  }
  return true;
}

WorkerReply PythonWorker::Await(double limit_s, const volatile int32_t* at) {
  if (std::optional<WorkerProblem> problem = WaitForReply(limit_s, at)) {
    return {.problem = std::move(problem)};
  }
  WorkerReply reply = ReadReply();
  idle_ = true;
  return reply;
}

std::optional<WorkerProblem> PythonWorker::WaitForReply(double limit_s,
                                                        const volatile int32_t* at) {
  Stopwatch watch;
  int32_t seen = at == nullptr ? 0 : *at;
  while (true) {
    pollfd waiting = {replies_, POLLIN, 0};
    if (::poll(&waiting, 1, kLookAgain_ms) > 0 && (waiting.revents & POLLIN)) return std::nullopt;
    // The pipe of a worker that has ended may be held open by a process that it started.
    if (std::optional<std::string> how = Ended()) {
      if (::poll(&waiting, 1, 0) > 0 && (waiting.revents & POLLIN)) return std::nullopt;
      return Lost(std::move(*how));
    }
    if (waiting.revents & (POLLHUP | POLLERR)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (at != nullptr && *at != seen) {
      seen = *at;
      watch.Restart();
    }
    if (watch.seconds() > limit_s) return Lost(Cat("has not finished after ", limit_s, " s"));
  }
}

// Returns how the process ended; nothing while it runs.
std::optional<std::string> PythonWorker::Ended() {
  int status = 0;
  if (pid_ < 0) return "has ended";
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
  ::kill(-std::exchange(pid_, -1), SIGKILL);  // processes that environments have started
  return WIFSIGNALED(status) ? Cat("was ended by signal ", WTERMSIG(status))
                             : Cat("ended with status ", WEXITSTATUS(status));
}

WorkerReply PythonWorker::ReadReply() {
  char kind = 0;
  if (!Read({&kind, 1})) return {.problem = Lost("broke off its reply")};
  if (kind == '.') return {};
  uint64_t size = 0;
  WorkerReply reply;
  if (!Read({reinterpret_cast<char*>(&size), sizeof(size)}) || size > kMostReply) {
    return {.problem = Lost("broke off its reply")};
  }
  reply.data.resize(size);
  if (!Read(reply.data)) return {.problem = Lost("broke off its reply")};
  if (kind == 'E') reply.problem = ProblemOf(reply.data);
  return reply;
}

}  // namespace dray
