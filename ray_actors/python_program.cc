#include "ray_actors/python_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "ray_actors/interpreter.h"

extern char** environ;

namespace dray_ray {
namespace {

using Clock = std::chrono::steady_clock;

// Resets signals that the driver handles or blocks, such as Ctrl-C, to their defaults in the child.
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

std::string Executable() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  return length > 0 ? std::string(path, length) : std::string();
}

std::string PackageFolder() {
  if (const char* named = std::getenv("DRAY_PYTHON_MODULES")) return named;
  const std::string executable = Executable();
  const std::string folder = executable.substr(0, executable.rfind('/'));
  const std::string beside = executable + ".runfiles/dray/src/python";
  const char* of_test = std::getenv("RUNFILES_DIR");
  for (const std::string& place :
       {of_test == nullptr ? beside : std::string(of_test) + "/dray/src/python", beside,
        folder + "/python", folder + "/../python", folder + "/../.."}) {
    if (access((place + "/dray/command.py").c_str(), R_OK) == 0) return place;
  }
  throw std::runtime_error(beside + " not found: build //ray_actors:train, or set " +
                           "DRAY_PYTHON_MODULES to the repository's src/python");
}

void KeyValues::Add(const std::string& line) {
  const size_t equals = line.find('=');
  if (equals != std::string::npos) {
    values_.emplace(line.substr(0, equals), line.substr(equals + 1));
  }
}

std::string KeyValues::Text(const std::string& key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? std::string() : found->second;
}

double KeyValues::Number(const std::string& key) const {
  return std::strtod(Text(key).c_str(), nullptr);
}

std::vector<std::string> KeyValues::All(const std::string& key) const {
  std::vector<std::string> all;
  const auto range = values_.equal_range(key);
  for (auto entry = range.first; entry != range.second; ++entry) all.push_back(entry->second);
  return all;
}

PythonProgram::PythonProgram(const std::string& file, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {Interpreter(), PackageFolder() + "/dray/" + file};
  if (access(words[1].c_str(), R_OK) != 0) {
    throw std::runtime_error(words[1] +
                             " is missing: set DRAY_PYTHON_MODULES to the repository's src/python");
  }
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(&word[0]);
  argv.push_back(nullptr);

  int to_child[2], from_child[2];
  if (pipe2(to_child, O_CLOEXEC) != 0) throw std::runtime_error(std::strerror(errno));
  if (pipe2(from_child, O_CLOEXEC) != 0) {
    const int reason = errno;
    close(to_child[0]);
    close(to_child[1]);
    throw std::runtime_error(std::strerror(reason));
  }
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, to_child[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, from_child[1], STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  SetSignals(&attributes);
  const int failure = posix_spawnp(&pid_, argv[0], &files, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  close(to_child[0]);
  close(from_child[1]);
  input_ = to_child[1];
  output_ = from_child[0];
  if (failure != 0) {
    close(input_);
    close(output_);
    throw std::runtime_error("Python interpreter " + words[0] + ": " + std::strerror(failure) +
                             ": run scripts/setup.sh, or set DRAY_PYTHON");
  }
}

PythonProgram::~PythonProgram() {
  close(input_);
  close(output_);
  if (EndsWithin(kEndingTime)) return;
  // The kernel then ends the processes of a Ray node as well; see dray/ray_node.py.
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void PythonProgram::Tell(const std::string& text) {
  // Writing to a child that has ended must not end this process.
  struct sigaction ignore = {}, before;
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &before);
  if (write(input_, text.data(), text.size()) < 0) {
    // The child sees the end of its input instead.
  }
  sigaction(SIGPIPE, &before, nullptr);
}

bool PythonProgram::Running() {
  if (pid_ > 0 && waitpid(pid_, nullptr, WNOHANG) != 0) pid_ = -1;
  return pid_ > 0;
}

bool PythonProgram::EndsWithin(std::chrono::seconds limit) {
  const auto deadline = Clock::now() + limit;
  while (Running() && Clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return !Running();
}

bool PythonProgram::ReadUntil(const std::string& key, std::chrono::seconds limit,
                              KeyValues* values) {
  const auto deadline = Clock::now() + limit;
  while (true) {
    for (size_t end; (end = partial_line_.find('\n')) != std::string::npos;) {
      values->Add(partial_line_.substr(0, end));
      partial_line_.erase(0, end + 1);
    }
    if (values->Has(key)) return true;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd waiting = {output_, POLLIN, 0};
    if (poll(&waiting, 1, left) <= 0) continue;
    char buffer[4096];
    const ssize_t length = read(output_, buffer, sizeof(buffer));
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) return true;  // end of the child's output
    partial_line_.append(buffer, length);
  }
}

}  // namespace dray_ray
