#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "src/cluster/cluster.h"

namespace dray {

class Config;
struct Workflow;

// The bodies of the commands: arguments without the program's name. They print to standard output
// and throw Error for what the user or the machine got wrong.
// The way to a cluster is opened when a run asks for one.
using OpenCluster = std::function<std::unique_ptr<Cluster>(const std::string& run_name)>;
void TrainCommand(std::span<const std::string> arguments, const OpenCluster& open_cluster);
void EvaluateCommand(std::span<const std::string> arguments);
void SolveCommand(std::span<const std::string> arguments);
void TrainOracleCommand(std::span<const std::string> arguments);
void Cage2ReplayCommand(std::span<const std::string> arguments);
// The settings of a training that is stepped from outside, by the arguments of train.
Config SteppedTrainingConfig(std::span<const std::string> arguments);
// `workflow`: other than the task's own, for a test.
void SearchCommand(std::span<const std::string> arguments, const OpenCluster& open_cluster,
                   const Workflow* workflow = nullptr);

}  // namespace dray
