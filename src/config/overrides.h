#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <string_view>

namespace dray {

// One setting given on the command line.
struct Override {
  std::string path;    // dotted: "ppo.learning_rate"
  std::string value;   // as YAML: "1e-3", "[64, 64]"
  std::string source;  // as the user typed it, for messages: "--set ppo.learning_rate=1e-3"
};

// From the "a.b=c" of --set a.b=c.
Override ParseSet(std::string_view assignment);

// Sets the path to the value; a list replaces the list before it. Errors are those of LoadYamlFile,
// with the source in place of file and line.
void ApplyOverride(const Override& override, google::protobuf::Message* message);

}  // namespace dray
