#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/json_fwd.h"

namespace dray {

// Commands of a worker; src/python/dray/env_worker.py carries them out.
enum class WorkerCommand : char {
  kDescribe = 'A',  // with the environment's name and options: returns its spaces
  kBegin = 'B',     // with a setup: makes environments
  kReset = 'R',
  kStep = 'S',
  kSave = 'V',
  kLoad = 'L',  // with saved states
};

// Why a worker did not do what it was told.
struct WorkerProblem {
  enum class Kind {
    kUsage,      // the environment cannot be used at all
    kException,  // raised by the environment, or what it returned is wrong
    kLost,       // the worker ended, or exceeded a time limit
  };
  Kind kind = Kind::kException;
  std::string what;       // one line
  std::string where;      // source line of an exception; empty: none
  std::string traceback;  // empty: none
  int row = -1;           // environment in question; -1: unknown
  bool complete = false;  // `what` already says which environment it is
};

struct WorkerReply {
  std::string data = {};
  std::optional<WorkerProblem> problem = {};
};

// A Python process that hosts environments, and the memory it shares with this process. Commands
// and replies are single bytes in pipes (some with data); what environments take and return in a
// step is in the memory alone. The process ends when this object, or this process, does.
class PythonWorker {
 public:
  // `command` is the words that start the process.
  explicit PythonWorker(std::vector<std::string> command);
  ~PythonWorker();
  PythonWorker(const PythonWorker&) = delete;
  PythonWorker& operator=(const PythonWorker&) = delete;

  // Replaces the shared memory by `size` bytes of zeros.
  void Resize(size_t size);
  std::span<std::byte> memory() { return memory_; }

  // Starts a command; each is followed by one Await. A worker that is gone is reported by Await.
  void Tell(WorkerCommand command);
  void Tell(WorkerCommand command, std::string_view data);
  // Waits for the reply. `limit_s` is the longest time that one environment may take; `at`, in the
  // shared memory, counts them. Null: there is one task.
  WorkerReply Await(double limit_s, const volatile int32_t* at);
  // Returns whether another command can follow: the last one was answered, and the process runs.
  bool Ready() { return idle_ && !Ended(); }
  const std::vector<std::string>& command() const { return command_; }

 private:
  void Start();
  void Write(std::string_view bytes);
  bool Read(std::span<char> bytes);
  // Waits until there is something to read; otherwise returns why there never will be.
  std::optional<WorkerProblem> WaitForReply(double limit_s, const volatile int32_t* at);
  std::optional<std::string> Ended();
  WorkerReply ReadReply();
  void End();

  const std::vector<std::string> command_;
  pid_t pid_ = -1;
  int commands_ = -1, replies_ = -1, memory_file_ = -1;
  bool idle_ = true;
  std::span<std::byte> memory_;
};

}  // namespace dray
