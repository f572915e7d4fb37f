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

// A value of a YAML document that knows where it stands: every complaint about it begins with the
// file, the line and the path, as in "office.yaml:12: Hosts.User1.image: ...".
class Entry {
 public:
  // The whole of a text; `file` is what complaints call it.
  static Entry Document(const std::string& text, const std::string& file);

  // The value of a key; an Error when this is no map or lacks it.
  Entry At(const std::string& key) const;
  // Nothing when there is no such key.
  std::optional<Entry> Find(const std::string& key) const;
  // Keys with their values, in order; an Error when this is no map, or has a key twice or none of
  // these keys where some are given.
  std::vector<std::pair<std::string, Entry>> Pairs(
      std::initializer_list<std::string_view> known = {}) const;
  // The elements of a list; none for nothing at all.
  std::vector<Entry> Items() const;
  std::string Text() const;
  int Whole() const;
  // The place of the text among these words; an Error that lists them when it is none.
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

// "a, b or c".
std::string Listed(std::initializer_list<std::string_view> words);

}  // namespace dray::cage2
