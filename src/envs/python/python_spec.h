#pragma once

#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/base/json_fwd.h"
#include "src/env/env.h"
#include "src/envs/python/python.pb.h"
#include "src/envs/python/worker.h"

namespace dray {

// Fills in what a run stores about its environment: the folder of its module, its spaces, and the
// command that starts workers. Starts a worker to ask for the spaces unless the settings already
// hold them for this environment. An environment that cannot be used is an Error.
void CarryPythonEnv(PythonConfig* config);

// Setup of an environment, from settings that CarryPythonEnv has filled in.
struct PythonEnvSetup {
  explicit PythonEnvSetup(const PythonConfig& config);

  // Returns the members of the setup that a worker needs to make an environment.
  Json ForWorker() const;

  std::string env;
  std::string options;  // JSON
  std::string folder;
  std::string described;  // JSON: what the worker says about the environment
  std::vector<std::string> command;
  EnvSpec spec;
};

// Prints a problem's traceback to standard error and returns its Error. `who` is the environment or
// worker.
Error Reported(const WorkerProblem& problem, const std::string& who);

}  // namespace dray
