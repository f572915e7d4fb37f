// Writes configs/METRICS.md: to the path given, or into the workspace under `bazel run`.
#include <cstdlib>
#include <iostream>
#include <string>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/metrics/table.h"

int main(int argc, char** argv) {
  const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  if (argc != 2 && workspace == nullptr) {
    std::cerr << "usage: bazel run //src/metrics:reference_generator [-- ABSOLUTE_PATH]\n";
    return 2;
  }
  try {
    const std::string path = argc == 2 ? argv[1] : std::string(workspace) + "/configs/METRICS.md";
    dray::WriteFileAtomically(path, dray::MetricsReference());
  } catch (const dray::Error& e) {
    std::cerr << "error: " << e.what() << "\n";
    return e.exit_code();
  }
  return 0;
}
