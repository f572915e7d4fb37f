#include "src/envs/cage2/mixture.h"

#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <sstream>

#include "src/base/error.h"

namespace dray::cage2 {
namespace {

// Shares are written in decimals: a third cannot be exact.
constexpr double kRounding = 1e-3;

std::string Trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

// Takes a number and the spaces after it from the beginning of a part, if something follows them.
std::optional<double> TakeShare(std::string& part) {
  double share = 0;
  const char* end = part.data() + part.size();
  const auto [rest, error] = std::from_chars(part.data(), end, share);
  if (error != std::errc() || rest == end || *rest != ' ') return std::nullopt;
  part = Trimmed(std::string(rest, end));
  return share;
}

}  // namespace

Mixture Mixture::Parse(const std::string& text, const std::string& setting) {
  Mixture mixture;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    part = Trimmed(part);
    const std::optional<double> share = TakeShare(part);
    if (part.empty()) throw UsageError(setting, ": a part of \"", text, "\" is empty");
    if (share && !(*share >= 0 && *share <= 1)) {
      throw UsageError(setting, ": the share ", *share, " of ", part, " is not between 0 and 1");
    }
    mixture.names.push_back(part);
    if (share) mixture.shares.push_back(*share);
  }
  if (mixture.names.empty()) throw UsageError(setting, ": is empty");
  if (mixture.shares.empty()) {
    mixture.shares.assign(mixture.names.size(), 1.0 / static_cast<double>(mixture.names.size()));
  }
  if (mixture.shares.size() != mixture.names.size()) {
    throw UsageError(setting, ": some parts of \"", text, "\" have a share and some have none");
  }
  const double sum = std::accumulate(mixture.shares.begin(), mixture.shares.end(), 0.0);
  if (!(std::abs(sum - 1) <= kRounding)) {
    throw UsageError(setting, ": the shares of \"", text, "\" sum to ", sum, ", not to 1");
  }
  return mixture;
}

size_t DrawShare(std::span<const double> shares, Rng& rng) {
  for (size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] >= 1 - kRounding) return i;
  }
  double left = rng.Uniform();
  size_t last = 0;
  for (size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] == 0) continue;
    last = i;
    if (left < shares[i]) break;
    left -= shares[i];
  }
  return last;
}

}  // namespace dray::cage2
