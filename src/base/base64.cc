#include "src/base/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "src/base/error.h"

namespace dray {
namespace {

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<int8_t, 256> Values() {
  std::array<int8_t, 256> values{};
  values.fill(-1);
  for (size_t i = 0; i < kLetters.size(); ++i) {
    values[static_cast<uint8_t>(kLetters[i])] = i;
  }
  return values;
}

constexpr std::array<int8_t, 256> kValues = Values();

}  // namespace

std::string ToBase64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t word = 0;
    for (size_t k = 0; k < 3; ++k) {
      word = word << 8 | (k < count ? static_cast<uint8_t>(bytes[i + k]) : 0u);
    }
    for (size_t k = 0; k < 4; ++k) {
      text += k <= count ? kLetters[word >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

std::string FromBase64(std::string_view text, const std::string& what) {
  const size_t end = text.find('=') == std::string_view::npos ? text.size() : text.find('=');
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  uint32_t word = 0;
  int bits = 0;
  for (const char letter : text.substr(0, end)) {
    const int value = kValues[static_cast<uint8_t>(letter)];
    if (value < 0) throw Failure(what, " is damaged: not base64");
    word = word << 6 | value;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(word >> bits & 0xff);
  }
  // Catches missing or extra characters and trailing bits that do not fill a byte.
  if (ToBase64(bytes) != text) throw Failure(what, " is damaged: not base64");
  return bytes;
}

}  // namespace dray
