#include "src/base/nearest_name.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace dray {
namespace {

constexpr size_t kShortestPrefix = 3;

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = std::tolower(static_cast<unsigned char>(c));
  return lower;
}

// Number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`. Row
// i of the table holds the distances from the first i letters of `a` to every prefix of `b`; three
// rows are enough.
size_t TypingDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

bool OneBeginsWithTheOther(std::string_view a, std::string_view b) {
  const size_t shorter = std::min(a.size(), b.size());
  return shorter >= kShortestPrefix && a.substr(0, shorter) == b.substr(0, shorter);
}

}  // namespace

std::string NearestName(std::string_view name, std::span<const std::string> known) {
  const std::string wanted = LowerCase(name);
  const std::string* nearest = nullptr;
  const std::string* begun = nullptr;
  size_t least = 0;
  for (const std::string& candidate : known) {
    const std::string offered = LowerCase(candidate);
    const size_t distance = TypingDistance(wanted, offered);
    const size_t allowed = std::max(wanted.size(), offered.size()) / 3;
    if (distance <= allowed && (nearest == nullptr || distance < least)) {
      nearest = &candidate;
      least = distance;
    }
    if (begun == nullptr && OneBeginsWithTheOther(wanted, offered)) begun = &candidate;
  }
  if (nearest == nullptr) nearest = begun;
  return nearest == nullptr ? std::string() : *nearest;
}

}  // namespace dray
