#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <string_view>

namespace dray {

// One setting given on the command line.
struct Override {
  std::string path;    // dotted: "ppo.learning_rate"
  std::string value;   // YAML text: "1e-3", "[64, 64]"
  std::string source;  // the flag as typed, for messages: "--set ppo.learning_rate=1e-3"
};

// Parses the "a.b=c" of --set a.b=c.
Override ParseSet(std::string_view assignment);

// Sets the value at the path; a list replaces the previous list. Errors are those of LoadYamlFile,
// with the source instead of file and line.
void ApplyOverride(const Override& override, google::protobuf::Message* message);

}  // namespace dray
