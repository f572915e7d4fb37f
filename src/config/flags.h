#pragma once

#include <google/protobuf/message.h>

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/config/overrides.h"

namespace dray {

// How a flag's value is read.
enum class FlagForm {
  kYaml,          // a value as in a YAML file
  kSwitch,        // none: --dry-run
  kOptionalPath,  // a path or none: --resume
  kPath,          // a path from where the user stands
  kPaths,         // the same; given repeatedly, all of them count
  kText,          // text, taken as it is
  kList,          // values joined by commas
  kDuration,      // 30s, 5m, 2h; a bare number is hours
  kSet,           // key=value
};

// One row of a command's table of flags, for a message of settings. What a setting means, its unit,
// its range and its default come from the setting at `path`; a flag without one says it in `help`.
struct Flag {
  std::string name;  // without the dashes
  FlagForm form = FlagForm::kYaml;
  std::string value = "";  // what stands for the value in the help: "N", "FILE"; empty: the choices
  std::string path = "";   // dotted; one that is not in the settings may become known later
  std::string help = "";
  std::string ask = "";  // asked when the flag is missing; empty: it may be left out
  std::vector<std::string> aliases = {};
  std::vector<std::string> clears = {};  // settings that would outrank this one: set to 0
  std::string group = "";                // heading that the help has it under; empty: none
};

inline const Flag kHelpFlag = {
    .name = "help", .form = FlagForm::kSwitch, .help = "Print this and stop", .aliases = {"h"}};

// For commands that report again and again.
inline const Flag kVerboseFlag = {.name = "verbose",
                                  .form = FlagForm::kSwitch,
                                  .help =
                                      "Print all numbers of every report, not the most "
                                      "important ones alone",
                                  .aliases = {"v"}};

// Whether --help or -h is among the arguments: then nothing else is looked at.
bool AsksForHelp(std::span<const std::string> arguments);

// By name or alias, without the dashes; null when there is none.
const Flag* FindFlag(std::span<const Flag> flags, std::string_view name);

// The flags that a user gave, as "--flag value" or "--flag=value"; an alias of one letter as "-v".
class GivenFlags {
 public:
  // A mistake is an Error of one line. Values are looked at when they are applied.
  GivenFlags(std::span<const Flag> flags, const google::protobuf::Descriptor& settings,
             std::span<const std::string> arguments);

  bool Has(const std::string& name) const { return given_.contains(name); }
  // As typed, the last of repeated ones; empty when there is none.
  std::string Text(const std::string& name) const;

  // What they set, in order of application: --set first, then what named flags clear, then what
  // they set, so that a flag is never cleared by another.
  std::vector<Override> overrides() const;

  // Puts all of it on the settings. A flag that must be given and is not is an Error.
  void ApplyTo(google::protobuf::Message* settings) const;

 private:
  struct Value {
    std::string text;
    std::string source;  // the flag as typed, with its value
  };

  void Add(const Flag& flag, const std::string& dashed, const std::string* value);

  std::vector<Flag> flags_;
  std::map<std::string, std::vector<Value>> given_;  // by name, not alias
};

// "30s", "5m", "2h" or bare hours, in seconds; an Error of `source` when it is none of these.
double DurationSeconds(const std::string& text, const std::string& source);

}  // namespace dray
