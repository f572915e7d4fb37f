#pragma once

#include <span>
#include <string>

namespace dray {

// The bodies of the commands: arguments without the program's name. They print to standard output
// and throw Error for what the user or the machine got wrong.
void TrainCommand(std::span<const std::string> arguments);
void EvaluateCommand(std::span<const std::string> arguments);
void SolveCommand(std::span<const std::string> arguments);
void TrainOracleCommand(std::span<const std::string> arguments);

}  // namespace dray
