#include "src/base/bytes.h"

#include <algorithm>
#include <array>

#include "src/base/error.h"

namespace dray {
namespace {

constexpr std::align_val_t kAlignment{64};

constexpr std::array<uint32_t, 256> MakeCrcTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) ? 0x82F63B78u : 0u);
    table[i] = crc;
  }
  return table;
}

}  // namespace

const char* ByteReader::Take(size_t size) {
  if (size > rest_.size()) {
    throw Failure(what_, " is truncated: ", size, " more bytes expected, ", rest_.size(), " left");
  }
  const char* start = rest_.data();
  rest_.remove_prefix(size);
  return start;
}

uint64_t ByteReader::GetCount(size_t element_size) {
  const auto count = Get<uint64_t>();
  if (count > rest_.size() / element_size) {
    throw Failure(what_, " is truncated or damaged: it claims ", count, " elements of ",
                  element_size, " bytes, ", rest_.size(), " bytes are left");
  }
  return count;
}

void ByteReader::ExpectCount(uint64_t found, uint64_t expected) const {
  if (found != expected) {
    throw Failure(what_, " does not fit: ", found, " values where ", expected, " were expected");
  }
}

void ByteReader::ExpectEnd() const {
  if (!AtEnd()) throw Failure(what_, " does not fit: ", rest_.size(), " bytes too many");
}

uint32_t Crc32c(std::string_view bytes) {
  static constexpr auto kTable = MakeCrcTable();
  uint32_t crc = 0xFFFFFFFFu;
  for (const uint8_t byte : bytes) crc = (crc >> 8) ^ kTable[(crc ^ byte) & 0xFF];
  return crc ^ 0xFFFFFFFFu;
}

uint64_t Fingerprint(std::string_view bytes) {
  // Each round is a bijection of the state and of the word it mixes in.
  uint64_t state = bytes.size();
  const auto add = [&state](uint64_t word) {
    state = (state ^ word) * 0x9E3779B97F4A7C15u;
    state ^= state >> 32;
  };
  while (!bytes.empty()) {
    uint64_t word = 0;
    const size_t size = std::min(bytes.size(), sizeof(word));
    std::memcpy(&word, bytes.data(), size);
    add(word);
    bytes.remove_prefix(size);
  }
  add(0);
  return state;
}

void Blob::Free::operator()(std::byte* p) const { ::operator delete(p, kAlignment); }

// Spare capacity, so that appending a batch's tail seldom moves the whole block.
Blob::Blob(size_t size)
    : size_(size),
      capacity_(size + 4096),
      data_(static_cast<std::byte*>(::operator new(capacity_, kAlignment))) {}

Blob::Blob(std::string_view bytes) : Blob(bytes.size()) {
  if (!bytes.empty()) std::memcpy(data_.get(), bytes.data(), bytes.size());
}

std::byte* Blob::Resize(size_t size) {
  if (size > capacity_) {
    Blob larger(size);
    std::memcpy(larger.data_.get(), data_.get(), size_);
    *this = std::move(larger);
  }
  size_ = size;
  return data_.get();
}

}  // namespace dray
