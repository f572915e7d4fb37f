#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace dray {

// A program beside this one, in a session of its own: Ctrl-C at the terminal does not reach it.
// What it prints is appended to a file. Its standard input is a pipe that says nothing and ends
// with this process, however that comes about.
class ChildProcess {
 public:
  // The first word is looked for on the PATH; an Error when it cannot be started.
  ChildProcess(const std::vector<std::string>& words, const std::string& output_file);
  // Ends its input and lets it run on.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  void EndInput();
  // Its exit status once it has ended, 128 and the signal's number where one ended it.
  std::optional<int> Ended();
  // Waits at most so long for its end; whether it came.
  bool Wait(double seconds);

 private:
  pid_t pid_ = -1;
  int input_ = -1;
  std::optional<int> status_;
};

}  // namespace dray
