#pragma once

#include <string>
#include <string_view>

namespace dray {

// Encodes bytes as padded base64 (RFC 4648), for settings that carry binary data.
std::string ToBase64(std::string_view bytes);
// Decodes base64. Text that ToBase64 could not have written is an Error that names `what`.
std::string FromBase64(std::string_view text, const std::string& what);

}  // namespace dray
