#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/envs/python/worker.h"

namespace dray {

// Workers that are not in use and can host other environments: a process takes much longer to start
// than an environment to make, and evaluation makes a new one for every episode.

// Returns an idle worker started by `command`, or a new one.
std::unique_ptr<PythonWorker> TakeWorker(const std::vector<std::string>& command);
// Keeps a worker for later if it is ready; ends it otherwise, or if enough are kept.
void ReturnWorker(std::unique_ptr<PythonWorker> worker);

}  // namespace dray
