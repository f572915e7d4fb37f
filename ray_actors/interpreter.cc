#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "ray_actors/interpreter.h"

namespace dray_ray {
namespace {

// Ray tells its workers, and what they start, which raylet is theirs; that one's command line says
// how it starts Python.
std::string NodeInterpreter() {
  const char* raylet = std::getenv("RAY_RAYLET_PID");
  if (raylet == nullptr) return "";
  const std::string flag = "--python_worker_command=";
  std::ifstream command(std::string("/proc/") + raylet + "/cmdline");
  for (std::string word; std::getline(command, word, '\0');) {
    if (word.compare(0, flag.size(), flag) != 0) continue;
    const std::string path = word.substr(flag.size(), word.find(' ') - flag.size());
    return access(path.c_str(), X_OK) == 0 ? path : "";
  }
  return "";
}

}  // namespace

std::string Interpreter() {
  if (const char* named = std::getenv("DRAY_PYTHON")) return named;
  // Through a volatile pointer: the compiler takes an array's address for never null.
  const char* volatile build = dray_build_interpreter;
  if (build != nullptr && access(build, X_OK) == 0) return build;
  const std::string node = NodeInterpreter();
  return node.empty() ? "python3" : node;
}

}  // namespace dray_ray
