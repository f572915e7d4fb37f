#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dray {

enum class Command { kTrain, kEvaluate, kSearch };

inline constexpr char kDefaultConfig[] = "configs/dvrptw_64.yaml";
inline constexpr char kDefaultSearchConfig[] = "configs/cage2_workflow.yaml";

// How a flag's value is read.
enum class FlagForm {
  kSwitch,        // none: --dry-run
  kOptionalPath,  // a path or none: --resume
  kPath,          // a path from where the user stands
  kText,          // text, taken as it is
  kYaml,          // a value as in a YAML file
  kDuration,      // 30s, 5m, 2h; a bare number is hours
  kSet,           // key=value
};

// One row of the table of flags. What a setting means, its unit and its default come from the
// setting at `path`; a flag without one says it in `help`.
struct Flag {
  std::string name;  // without the dashes
  std::vector<std::string> aliases;
  FlagForm form;
  std::string value;  // what stands for the value in the help: "N", "FILE"; empty: the choices
  std::string path;   // <env> stands for the environment's name
  std::vector<std::string> clears;  // settings that would outrank this one: set to 0
  std::string help;
};

// The flags of a command, in the order of its help.
const std::vector<Flag>& FlagsOf(Command command);

// By name or alias, without the dashes; null when there is none.
const Flag* FindFlag(std::span<const Flag> flags, std::string_view name);

// "30s", "5m", "2h" or bare hours, in seconds; an Error when it is none of these.
double DurationSeconds(const std::string& text);

// What --help prints.
std::string HelpText(Command command);

}  // namespace dray
