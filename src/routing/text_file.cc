#include "src/routing/text_file.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace dray {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::optional<double> Parsed(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  double value = 0;
  const char* end = word.data() + word.size();
  const auto [stopped, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc() || stopped != end || !std::isfinite(value)) return {};
  return value;
}

// Explains why bytes cannot be read as text, and what to do; empty if they can.
std::string_view NoText(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
    return "the file is UTF-16 text; save it as UTF-8";
  }
  if (bytes.starts_with("PK\x03\x04")) {
    return "the file is a spreadsheet or an archive; export it as CSV, or unpack it";
  }
  if (bytes.find('\0') != std::string_view::npos) {
    return "the file is not text: it contains zero bytes; save it as plain text in UTF-8";
  }
  return "";
}

}  // namespace

TextFile::TextFile(std::string path, std::string text)
    : path_(std::move(path)), text_(std::move(text)) {
  std::string_view rest = text_;
  if (const std::string_view why = NoText(rest); !why.empty()) throw Wrong(1, "format", why);
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  for (int number = 1; !rest.empty(); ++number) {
    const size_t length = std::min(rest.find('\n'), rest.size());
    const std::string_view whole = rest.substr(0, length);
    const std::string_view line = Trimmed(whole);
    if (!line.empty()) lines_.push_back({number, line, whole});
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
}

double TextFile::Number(int line, std::string_view field, std::string_view word) const {
  const std::optional<double> value = Parsed(word);
  if (!value) throw Wrong(line, field, "expected a number, found ", Quoted(word), "; fix it");
  return *value;
}

int TextFile::Whole(int line, std::string_view field, std::string_view word) const {
  const double value = Number(line, field, word);
  if (value != std::floor(value) || std::abs(value) > 1e9) {
    throw Wrong(line, field, "expected a whole number of at most a thousand million, found ",
                Quoted(word), "; round it, or use a coarser unit");
  }
  return value;
}

std::vector<std::string_view> Words(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const size_t length = std::min(line.find_first_of(kBlanks), line.size());
    words.push_back(line.substr(0, length));
    line.remove_prefix(length);
  }
}

size_t Utf8Length(std::string_view text) {
  const uint8_t first = text[0];
  if (first < 0x80) return 1;
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  uint32_t code = first & (0xFF >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    const uint8_t next = text[i];
    if ((next & 0xC0) != 0x80) return 0;
    code = code << 6 | (next & 0x3F);
  }
  const uint32_t least = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80;
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool character = code >= least && code <= 0x10FFFF && (code & 0xFFFE) != 0xFFFE;
  return character && !surrogate ? length : 0;
}

std::string Quoted(std::string_view word) {
  constexpr size_t kLongest = 40;
  std::string text = "'";
  for (const char c : word.substr(0, kLongest)) {
    text += c >= ' ' && c <= '~' ? c : '?';
  }
  return text + (word.size() > kLongest ? "...'" : "'");
}

bool IsNumber(std::string_view word) { return Parsed(word).has_value(); }

bool SameWord(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char left, char right) { return lower(left) == lower(right); });
}

}  // namespace dray
