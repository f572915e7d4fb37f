#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dray {

// Formats numbers for people, the same in every locale. Numbers that are not finite read "n/a".

std::string FormatCount(int64_t count);                   // 1,234,567
std::string FormatFixed(double value, int decimals);      // 1,234.5
std::string FormatSignificant(double value, int digits);  // 0.0123, 4.5e-06
std::string FormatPercent(double fraction);               // 3.2%, 61%
std::string FormatBytes(double bytes);                    // 512 B, 1.5 GB
std::string FormatDuration(double seconds);  // 350ms, 4.2s, 45s, 1m 20s, 2h 05m, 3d 04h
std::string FormatEta(double seconds);       // ETA 5s, ETA 1m 20s: whole seconds, rounded up

// Formats a count and its noun: "1 batch", "3 batches". An empty plural is the noun and an s.
std::string FormatCounted(int64_t count, std::string_view one, std::string_view many = "");

// Formats a number as JSON: the shortest form that reads back as the same double, whole numbers
// without a decimal point, null if it is not finite.
std::string JsonNumber(double value);

}  // namespace dray
