#include "ray_actors/interpreter.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace dray_ray {
namespace {

// Returns the Python that a raylet starts its workers with, or "" if the process is not a raylet.
std::string InterpreterOfRaylet(pid_t process) {
  const std::string flag = "--python_worker_command=";
  std::ifstream command("/proc/" + std::to_string(process) + "/cmdline");
  for (std::string word; std::getline(command, word, '\0');) {
    if (word.compare(0, flag.size(), flag) == 0) {
      return word.substr(flag.size(), word.find(' ') - flag.size());
    }
  }
  return "";
}

pid_t ParentOf(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.compare(0, 5, "PPid:") == 0) return std::atoi(line.c_str() + 5);
  }
  return 0;
}

// Returns the Python of the node's raylet. It is an ancestor of a submitted job, which a worker
// starts.
std::string NodeInterpreter() {
  for (pid_t process = getppid(); process > 1; process = ParentOf(process)) {
    const std::string path = InterpreterOfRaylet(process);
    if (!path.empty() && access(path.c_str(), X_OK) == 0) return path;
  }
  return "";
}

}  // namespace

std::string Interpreter() {
  if (const char* named = std::getenv("DRAY_PYTHON")) return named;
  // The pointer is volatile because the compiler assumes that an array's address is never null.
  const char* volatile build = dray_build_interpreter;
  if (build != nullptr && access(build, X_OK) == 0) return build;
  const std::string node = NodeInterpreter();
  return node.empty() ? "python3" : node;
}

}  // namespace dray_ray
