#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace dray {

// A child process in its own session, so that Ctrl-C at the terminal does not reach it. Its output
// is appended to a file. Its standard input is a pipe that stays silent and is closed when this
// process ends, however it ends.
class ChildProcess {
 public:
  // Searches the PATH for the first word. Throws an Error if the program cannot be started.
  ChildProcess(const std::vector<std::string>& words, const std::string& output_file);
  // Closes its input and leaves it running.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  void EndInput();
  // Returns the exit status once the process has ended, or 128 plus the signal number if a signal
  // ended it.
  std::optional<int> Ended();
  // Waits up to `seconds` for the process to end. Returns true if it ended.
  bool Wait(double seconds);

 private:
  pid_t pid_ = -1;
  int input_ = -1;
  std::optional<int> status_;
};

}  // namespace dray
