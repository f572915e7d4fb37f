#pragma once

#include <string>
#include <string_view>

namespace dray {

// Bytes as text of 64 letters (RFC 4648, padded), for settings that have to carry some.
std::string ToBase64(std::string_view bytes);
// Text that ToBase64 could not have written is an Error that names `what`.
std::string FromBase64(std::string_view text, const std::string& what);

}  // namespace dray
