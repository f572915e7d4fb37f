#pragma once

#include <string>
#include <string_view>

namespace dray::fuzz {

// Edits of a valid message, as bytes that a fuzzer finds: numbers put somewhere, bytes cut out, put
// in or changed, the end cut off. Any bytes are edits, and none change nothing. So a corpus stays
// good when the message's format changes.
std::string Edited(std::string valid, std::string_view edits);

// Takes the first byte as a choice among so many, and removes it.
size_t TakeChoice(std::string_view& bytes, size_t choices);

}  // namespace dray::fuzz
