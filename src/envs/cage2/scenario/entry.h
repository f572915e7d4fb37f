#pragma once

#include <yaml-cpp/yaml.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/base/error.h"

namespace dray::cage2 {

// A value of a YAML document that knows its location: errors about it begin with the file, line and
// path, as in "office.yaml:12: Hosts.User1.image: ...".
class Entry {
 public:
  // Parses a text. Errors name it `file`.
  static Entry Document(const std::string& text, const std::string& file);

  // Returns the value of a key; throws an Error if this is not a map or lacks the key.
  Entry At(const std::string& key) const;
  // Returns the value of a key, or nothing if there is no such key.
  std::optional<Entry> Find(const std::string& key) const;
  // Returns keys and values in order. Throws an Error if this is not a map, has a duplicate key,
  // or, with `known`, any other key.
  std::vector<std::pair<std::string, Entry>> Pairs(
      std::initializer_list<std::string_view> known = {}) const;
  // Returns the elements of a list; none if the value is missing.
  std::vector<Entry> Items() const;
  std::string Text() const;
  int Whole() const;
  // Returns the index of the text in `words`; throws an Error that lists them if it is not there.
  int OneOf(std::initializer_list<std::string_view> words) const;
  bool IsList() const { return node_.IsSequence(); }

  const YAML::Node& node() const { return node_; }
  const std::string& file() const { return file_; }

  template <typename... Parts>
  Error Refusal(const Parts&... parts) const {
    return UsageError(Where(), parts...);
  }

 private:
  Entry(const YAML::Node& node, std::string file, std::string path)
      : node_(node), file_(std::move(file)), path_(std::move(path)) {}

  std::string Where() const;
  Entry Below(const YAML::Node& node, const std::string& key) const;
  void ExpectMap() const;

  YAML::Node node_;
  std::string file_;
  std::string path_;
};

// Returns text such as "a, b or c".
std::string Listed(std::initializer_list<std::string_view> words);

}  // namespace dray::cage2
