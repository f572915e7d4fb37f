#include "src/envs/cage2/scenario/entry.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "src/config/yaml_document.h"

namespace dray::cage2 {

Entry Entry::Document(const std::string& text, const std::string& file) {
  return Entry(ParseYaml(text, file, /*with_line=*/true), file, "");
}

Entry Entry::At(const std::string& key) const {
  std::optional<Entry> found = Find(key);
  if (!found) throw Refusal(key, " is missing");
  return *std::move(found);
}

std::optional<Entry> Entry::Find(const std::string& key) const {
  ExpectMap();
  for (const auto& pair : node_) {
    if (pair.first.IsScalar() && pair.first.Scalar() == key) return Below(pair.second, key);
  }
  return std::nullopt;
}

std::vector<std::pair<std::string, Entry>> Entry::Pairs(
    std::initializer_list<std::string_view> known) const {
  ExpectMap();
  std::vector<std::pair<std::string, Entry>> pairs;
  std::set<std::string> seen;
  for (const auto& pair : node_) {
    if (!pair.first.IsScalar()) throw Refusal("a key must be a plain name");
    const std::string& key = pair.first.Scalar();
    const Entry value = Below(pair.second, key);
    const Entry at = Below(pair.first, key);  // the value may be on a later line
    if (!seen.insert(key).second) throw at.Refusal("is given twice");
    if (known.size() > 0 && std::ranges::find(known, key) == known.end())
      throw at.Refusal("is not a known key; known here: ", Listed(known));
    pairs.emplace_back(key, value);
  }
  return pairs;
}

std::vector<Entry> Entry::Items() const {
  if (node_.IsNull()) return {};
  if (!node_.IsSequence()) throw Refusal("expected a list");
  std::vector<Entry> items;
  for (size_t i = 0; i < node_.size(); ++i) {
    items.push_back(Entry(node_[i], file_, Cat(path_, "[", i, "]")));
  }
  return items;
}

std::string Entry::Text() const {
  if (!node_.IsScalar()) throw Refusal("expected a single value");
  return node_.Scalar();
}

int Entry::Whole() const {
  const std::string text = Text();
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw Refusal("expected a whole number, found '", text, "'");
  return value;
}

int Entry::OneOf(std::initializer_list<std::string_view> words) const {
  const auto found = std::ranges::find(words, Text());
  if (found == words.end()) throw Refusal("'", Text(), "' is not known; use ", Listed(words));
  return found - words.begin();
}

std::string Entry::Where() const {
  // yaml-cpp has no location for a missing value.
  const int line = node_.Mark().line;
  return Cat(file_, line < 0 ? "" : Cat(":", line + 1), ": ", path_, path_.empty() ? "" : ": ");
}

Entry Entry::Below(const YAML::Node& node, const std::string& key) const {
  return Entry(node, file_, path_.empty() ? key : Cat(path_, ".", key));
}

void Entry::ExpectMap() const {
  if (!node_.IsMap()) throw Refusal("expected keys with values");
}

std::string Listed(std::initializer_list<std::string_view> words) {
  std::string text;
  for (const std::string_view& word : words) {
    const bool last = &word + 1 == words.end();
    text += Cat(text.empty() ? "" : last ? " or " : ", ", word);
  }
  return text;
}

}  // namespace dray::cage2
