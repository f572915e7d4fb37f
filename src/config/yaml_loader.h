#pragma once

#include <google/protobuf/message.h>
#include <yaml-cpp/yaml.h>

#include <string>

namespace dray {

// Reads a YAML file into any message, by reflection: a key is a field (or an extension, by its
// short name), an enum's values are written in lower case, a list replaces the list before it. What
// the file does not mention stays as it is, so that an empty file equals the defaults.
//
// The top-level key `include` names a file or a list of files, relative to the including one, that
// are read first.
//
// Whatever is wrong is an Error of one line: "configs/x.yaml:12: ppo.learnin_rate: unknown key; did
// you mean learning_rate?".
void LoadYamlFile(const std::string& path, google::protobuf::Message* message);

enum class Includes { kRefused, kAllowed };

// Reads a text in the same way; `name` stands for the file in messages. Includes are refused unless
// allowed: the text may come from a checkpoint of somebody else.
void LoadYamlText(const std::string& text, const std::string& name,
                  google::protobuf::Message* message, Includes includes = Includes::kRefused);

// Sets the field at a dotted path from a YAML value. `where` begins the message of every Error.
void SetPath(const YAML::Node& value, const std::string& where, const std::string& path,
             google::protobuf::Message* message);

}  // namespace dray
