#pragma once

#include <google/protobuf/message.h>
#include <yaml-cpp/yaml.h>

#include <string>

namespace dray {

// Reads a YAML file into any message by reflection. A key is a field (or an extension, by its short
// name), enum values are written in lower case, and a list replaces the previous list. Settings
// that the file does not mention stay unchanged, so an empty file equals the defaults.
//
// The top-level key `include` names one or more files, relative to the including one, or presets
// (cartpole), that are read first.
//
// Every mistake is a one-line Error: "configs/x.yaml:12: ppo.learnin_rate: unknown key; did you
// mean learning_rate?".
void LoadYamlFile(const std::string& path, google::protobuf::Message* message);

enum class Includes { kRefused, kAllowed };

// Reads text in the same way; `name` replaces the file name in messages. Includes are refused by
// default, because the text may come from someone else's checkpoint.
void LoadYamlText(const std::string& text, const std::string& name,
                  google::protobuf::Message* message, Includes includes = Includes::kRefused);

// Sets the field at a dotted path from a YAML value. Every Error message begins with `where`.
void SetPath(const YAML::Node& value, const std::string& where, const std::string& path,
             google::protobuf::Message* message);

}  // namespace dray
