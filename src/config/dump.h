#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <utility>
#include <vector>

namespace dray {

// A message as YAML, every key with its effective value, defaults included. Loading it gives an
// equal message. Of the environments' messages only that of env.name is written.
std::string DumpYaml(const google::protobuf::Message& message);

// Every key with its effective value as YAML in one line, in the order of the dump.
std::vector<std::pair<std::string, std::string>> FlatSettings(
    const google::protobuf::Message& message);

// A setting that differs between two messages of one type; a key that one of them lacks (another
// environment's) has no text there.
struct ChangedKey {
  std::string path;
  std::string before;
  std::string after;
};

// The keys whose effective values differ, in the order of the dump.
std::vector<ChangedKey> ChangedKeys(const google::protobuf::Message& before,
                                    const google::protobuf::Message& after);

}  // namespace dray
