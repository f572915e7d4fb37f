#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <utility>
#include <vector>

namespace dray {

// Writes a message as YAML: every key with its effective value, including defaults. Loading it
// gives an equal message. Among the environments' messages, only that of env.name is written.
std::string DumpYaml(const google::protobuf::Message& message);

// Lists every key with its effective value as one line of YAML, in the order of the dump.
std::vector<std::pair<std::string, std::string>> FlatSettings(
    const google::protobuf::Message& message);

// A setting that differs between two messages of one type. The value is empty in a message that
// lacks the key (because it belongs to another environment).
struct ChangedKey {
  std::string path;
  std::string before;
  std::string after;
};

// Lists the keys whose effective values differ, in the order of the dump.
std::vector<ChangedKey> ChangedKeys(const google::protobuf::Message& before,
                                    const google::protobuf::Message& after);

}  // namespace dray
