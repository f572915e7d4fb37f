#include "src/output/format.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "src/base/error.h"

namespace dray {
namespace {

constexpr std::string_view kNotANumber = "n/a";

std::string ToChars(double value, std::chars_format format, int precision) {
  char text[512];  // the largest double has 309 digits
  const auto end = std::to_chars(text, text + sizeof(text), value, format, precision);
  return {text, end.ptr};
}

std::string WithSeparators(std::string digits) {
  const size_t point = std::min(digits.find('.'), digits.size());
  const size_t first = digits[0] == '-' ? 1 : 0;
  for (size_t i = point; i > first + 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

// Formats two units; the smaller one always has two digits, as in "05".
std::string TwoUnits(int64_t value, int64_t per_large, const char* large, const char* small) {
  const int64_t rest = value % per_large;
  return Cat(value / per_large, large, " ", rest < 10 ? "0" : "", rest, small);
}

}  // namespace

std::string FormatCount(int64_t count) { return WithSeparators(std::to_string(count)); }

std::string FormatFixed(double value, int decimals) {
  if (!std::isfinite(value)) return std::string(kNotANumber);
  std::string text = WithSeparators(ToChars(value, std::chars_format::fixed, decimals));
  const bool is_zero = text.find_first_of("123456789") == text.npos;
  return is_zero && text[0] == '-' ? text.substr(1) : text;
}

std::string FormatSignificant(double value, int digits) {
  if (!std::isfinite(value)) return std::string(kNotANumber);
  if (value == 0) return "0";
  return ToChars(value, std::chars_format::general, digits);
}

std::string FormatPercent(double fraction) {
  if (!std::isfinite(fraction)) return std::string(kNotANumber);
  const double percent = 100 * fraction;
  const bool whole = percent == 0 || std::abs(percent) >= 9.95;
  return FormatFixed(percent, whole ? 0 : 1) + "%";
}

std::string FormatBytes(double bytes) {
  if (!std::isfinite(bytes)) return std::string(kNotANumber);
  constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  size_t unit = 0;
  while (std::abs(bytes) >= 999.5 && unit + 1 < std::size(kUnits)) {
    bytes /= 1000;
    ++unit;
  }
  return FormatFixed(bytes, unit == 0 || std::abs(bytes) >= 99.95 ? 0 : 1) + " " + kUnits[unit];
}

std::string FormatDuration(double seconds) {
  if (!std::isfinite(seconds)) return std::string(kNotANumber);
  if (seconds < 0) return Cat("-", FormatDuration(-seconds));
  if (seconds == 0) return "0s";
  if (seconds < 0.9995) return FormatFixed(1000 * seconds, seconds < 0.00995 ? 1 : 0) + "ms";
  if (seconds < 9.95) return FormatFixed(seconds, 1) + "s";
  if (seconds > 1e15) return std::string(kNotANumber);
  const int64_t whole = std::llround(seconds);
  if (whole < 60) return Cat(whole, "s");
  if (whole < 3600) return TwoUnits(whole, 60, "m", "s");
  const int64_t minutes = (whole + 30) / 60;
  if (minutes < 24 * 60) return TwoUnits(minutes, 60, "h", "m");
  return TwoUnits((minutes + 30) / 60, 24, "d", "h");
}

std::string FormatEta(double seconds) {
  const double whole = std::ceil(seconds);
  return "ETA " + (whole >= 0 && whole < 10 ? FormatFixed(whole, 0) + "s" : FormatDuration(whole));
}

std::string FormatCounted(int64_t count, std::string_view one, std::string_view many) {
  const std::string_view ending = many.empty() && count != 1 ? "s" : "";
  return Cat(FormatCount(count), " ", count == 1 || many.empty() ? one : many, ending);
}

std::string JsonNumber(double value) {
  if (!std::isfinite(value)) return "null";
  constexpr double kExactIntegers = 9007199254740992.0;  // 2^53
  const bool whole = std::trunc(value) == value && std::abs(value) <= kExactIntegers;
  const bool negative_zero = value == 0 && std::signbit(value);
  char text[32];
  const auto end = whole && !negative_zero
                       ? std::to_chars(text, text + sizeof(text), static_cast<int64_t>(value))
                       : std::to_chars(text, text + sizeof(text), value);
  return {text, end.ptr};
}

}  // namespace dray
