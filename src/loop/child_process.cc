#include "src/loop/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "src/base/error.h"
#include "src/base/file.h"

namespace dray {
namespace {

// Resets the signal mask and all handlers to their defaults in the child.
void SetSignals(posix_spawnattr_t* attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setsigdefault(attributes, &all);
  posix_spawnattr_setflags(attributes,
                           POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& words, const std::string& output_file) {
  const int output = OpenToWrite(output_file, O_WRONLY | O_APPEND);
  std::vector<std::string> kept = words;
  std::vector<char*> arguments;
  for (std::string& word : kept) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    ::close(output);
    throw Failure(words[0], ": ", std::strerror(errno));
  }
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  SetSignals(&attributes);
  const int error =
      ::posix_spawnp(&pid_, arguments[0], &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  ::close(ends[0]);
  ::close(output);
  if (error != 0) {
    ::close(ends[1]);
    throw Failure(words[0], ": ", std::strerror(error));
  }
  input_ = ends[1];
}

ChildProcess::~ChildProcess() { EndInput(); }

void ChildProcess::EndInput() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
}

std::optional<int> ChildProcess::Ended() {
  int status = 0;
  if (!status_ && ::waitpid(pid_, &status, WNOHANG) == pid_) {
    status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return status_;
}

bool ChildProcess::Wait(double seconds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!Ended() && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return Ended().has_value();
}

}  // namespace dray
