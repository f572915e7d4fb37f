#include "src/cluster/packed.h"

#include <cstring>

#include "src/base/error.h"

namespace dray {
namespace {

constexpr size_t kAlignment = 64;

size_t Aligned(size_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

void PackInto(std::span<const std::string_view> parts, ByteSink& out) {
  std::vector<uint64_t> head = {parts.size()};
  size_t size = Aligned((1 + parts.size()) * sizeof(uint64_t));
  for (const std::string_view part : parts) {
    head.push_back(part.size());
    size += Aligned(part.size());
  }
  std::byte* to = out.Resize(size);
  const auto write = [&to](const void* from, size_t bytes) {
    if (bytes > 0) std::memcpy(to, from, bytes);
    std::memset(to + bytes, 0, Aligned(bytes) - bytes);
    to += Aligned(bytes);
  };
  write(head.data(), head.size() * sizeof(uint64_t));
  for (const std::string_view part : parts) write(part.data(), part.size());
}

std::string Packed(std::span<const std::string> parts) {
  const std::vector<std::string_view> views(parts.begin(), parts.end());
  Blob blob;
  PackInto(views, blob);
  return std::string(blob.view());
}

std::vector<std::string_view> Unpacked(std::string_view bytes, const std::string& what) {
  const auto take = [&](size_t size) {
    if (bytes.size() < size || bytes.size() - size < Aligned(size) - size) {
      throw Failure(what, ": damaged, its parts are longer than the whole");
    }
    const std::string_view taken = bytes.substr(0, size);
    bytes.remove_prefix(Aligned(size));
    return taken;
  };
  uint64_t count = 0;
  if (bytes.size() >= sizeof(count)) std::memcpy(&count, bytes.data(), sizeof(count));
  if (count >= bytes.size() / sizeof(uint64_t))
    throw Failure(what, ": damaged, it is no list of parts");
  const std::string_view head = take((1 + count) * sizeof(uint64_t));
  std::vector<uint64_t> sizes(count);
  std::memcpy(sizes.data(), head.data() + sizeof(uint64_t), count * sizeof(uint64_t));
  std::vector<std::string_view> parts;
  for (const uint64_t size : sizes) parts.push_back(take(size));
  if (!bytes.empty()) throw Failure(what, ": damaged, bytes follow its last part");
  return parts;
}

std::string FromShards(bool packed, std::span<const std::string> parts) {
  DRAY_CHECK(packed || parts.size() == 1);
  return packed ? Packed(parts) : parts[0];
}

std::vector<std::string_view> OfShards(bool packed, std::string_view bytes,
                                       const std::string& what) {
  if (!packed) return {bytes};
  return Unpacked(bytes, what);
}

}  // namespace dray
