#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/bytes.h"

namespace dray {

// Writes several byte strings as one. Each starts at a multiple of 64 bytes, so that numbers in it
// can be read in place.
void PackInto(std::span<const std::string_view> parts, ByteSink& out);
std::string Packed(std::span<const std::string> parts);

// Returns views of the parts. Bytes that were not packed are an Error; `what` names them.
std::vector<std::string_view> Unpacked(std::string_view bytes, const std::string& what);

// Bytes of the shards of one actor: packed if actors host several, else those of its only shard.
std::string FromShards(bool packed, std::span<const std::string> parts);
std::vector<std::string_view> OfShards(bool packed, std::string_view bytes,
                                       const std::string& what);

}  // namespace dray
