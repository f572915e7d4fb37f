#pragma once

#include <google/protobuf/message.h>

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/config/overrides.h"

namespace dray {

// Form of a flag's value.
enum class FlagForm {
  kYaml,          // a value as in a YAML file
  kSwitch,        // no value: --dry-run
  kOptionalPath,  // an optional path: --resume
  kPath,          // a path relative to the user's folder
  kPaths,         // the same; may be given repeatedly
  kText,          // text, taken literally
  kList,          // values joined by commas
  kDuration,      // 30s, 5m, 2h
  kSet,           // key=value
};

// One row of a command's flag table. The meaning, unit, range and default come from the setting at
// `path`; a flag without a path describes itself in `help`.
struct Flag {
  std::string name;  // spelled without the dashes
  FlagForm form = FlagForm::kYaml;
  std::string value = "";  // placeholder in the help: "N", "FILE"; empty: the choices
  std::string path = "";   // dotted; a path that is not a setting yet may become known later
  std::string help = "";
  std::string ask = "";  // error text if the flag is missing; empty: optional
  std::vector<std::string> aliases = {};
  std::vector<std::string> clears = {};  // settings that would override this one: reset to 0
  std::string group = "";                // heading in the help; empty: none
};

inline const Flag kSetFlag = {.name = "set",
                              .form = FlagForm::kSet,
                              .value = "KEY=VALUE",
                              .help = "Any setting of configs/REFERENCE.md; may be repeated"};
inline const Flag kHelpFlag = {.name = "help",
                               .form = FlagForm::kSwitch,
                               .help = "Print this help and exit",
                               .aliases = {"h"}};

// Flag of commands that report repeatedly.
inline const Flag kVerboseFlag = {.name = "verbose",
                                  .form = FlagForm::kSwitch,
                                  .help =
                                      "Print all numbers of every report, not only the "
                                      "most important ones",
                                  .aliases = {"v"}};

// Returns true if the arguments contain --help or -h. If so, nothing else is parsed.
bool AsksForHelp(std::span<const std::string> arguments);

// Finds a flag by name or alias, without the dashes. Returns null if there is none.
const Flag* FindFlag(std::span<const Flag> flags, std::string_view name);

// The flags a user gave, as "--flag value" or "--flag=value"; one-letter aliases as "-v".
class GivenFlags {
 public:
  // Throws a one-line Error for a malformed or unknown flag. Values are checked when they are
  // applied.
  GivenFlags(std::span<const Flag> flags, const google::protobuf::Descriptor& settings,
             std::span<const std::string> arguments);

  bool Has(const std::string& name) const { return given_.contains(name); }
  // Returns the value as typed, the last one if the flag is repeated; empty if it is missing.
  std::string Text(const std::string& name) const;

  // Returns the resulting settings in order of application: --set first, then resets by named
  // flags, then their values, so that no flag resets another.
  std::vector<Override> overrides() const;

  // Applies all flags to the settings. Throws an Error if a required flag is missing.
  void ApplyTo(google::protobuf::Message* settings) const;

 private:
  struct Value {
    std::string text;
    std::string source;  // the flag as typed, with its value
  };

  void Add(const Flag& flag, const std::string& dashed, const std::string* value);

  std::vector<Flag> flags_;
  std::map<std::string, std::vector<Value>> given_;  // keyed by name, not by alias
};

// Parses "30s", "5m" or "2h". Throws an Error that names `source` for anything else.
double DurationSeconds(const std::string& text, const std::string& source);

}  // namespace dray
