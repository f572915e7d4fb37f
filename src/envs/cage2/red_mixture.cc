#include "src/envs/cage2/red_mixture.h"

#include <charconv>
#include <cmath>
#include <sstream>
#include <vector>

#include "src/base/error.h"

namespace dray::cage2 {
namespace {

// Shares are written in decimals: a third cannot be exact.
constexpr double kRounding = 1e-3;

Error Unreadable(const std::string& part) {
  return UsageError(
      "env.cage2.red: \"", part,
      "\" is not an agent (bline, meander, sleep or learned) or a share and an agent, as in "
      "\"0.5 bline, 0.5 meander\"");
}

std::vector<std::string> WordsOf(const std::string& part) {
  std::istringstream stream(part);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

RedAgent AgentOf(const std::string& word) {
  try {
    return RedAgentNamed(word);
  } catch (const Error& error) {
    throw Error(error.kind(), Cat("env.cage2.red: ", error.what()));
  }
}

double ShareOf(const std::string& word, const std::string& part) {
  double share = 0;
  const char* end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, share);
  if (rest != end || error != std::errc()) throw Unreadable(part);
  if (!(share >= 0 && share <= 1)) {
    throw UsageError("env.cage2.red: the share ", word, " is not between 0 and 1");
  }
  return share;
}

}  // namespace

RedMixture::RedMixture(const std::string& text) {
  std::istringstream parts(text);
  double sum = 0;
  for (std::string part; std::getline(parts, part, ',');) {
    const std::vector<std::string> words = WordsOf(part);
    if (words.size() != 1 && words.size() != 2) throw Unreadable(part);
    const double share = words.size() == 1 ? 1 : ShareOf(words[0], part);
    shares_[Index(AgentOf(words.back()))] += share;
    sum += share;
  }
  if (!(std::abs(sum - 1) <= kRounding)) {
    throw UsageError("env.cage2.red: the shares of \"", text, "\" sum to ", sum, ", not to 1");
  }
}

RedAgent RedMixture::Draw(Rng& rng) const {
  for (size_t i = 0; i < shares_.size(); ++i) {
    if (shares_[i] >= 1 - kRounding) return Enumerator<RedAgent>(i);
  }
  double left = rng.Uniform();
  size_t last = 0;
  for (size_t i = 0; i < shares_.size(); ++i) {
    if (shares_[i] == 0) continue;
    last = i;
    if (left < shares_[i]) break;
    left -= shares_[i];
  }
  return Enumerator<RedAgent>(last);
}

}  // namespace dray::cage2
