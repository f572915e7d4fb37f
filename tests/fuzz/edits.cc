#include "tests/fuzz/edits.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace dray::fuzz {
namespace {

// Where arithmetic and bounds go wrong.
constexpr std::array<uint64_t, 16> kSpecial = {
    0,          1,          2,          0x7f,        0xff,       0x7fff,     0x8000,     0xffff,
    0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 1ull << 53, ~0ull >> 1, 1ull << 63, ~0ull};

uint64_t Number(std::string_view bytes) {
  uint64_t number = 0;
  std::memcpy(&number, bytes.data(), std::min(bytes.size(), sizeof(number)));
  return number;
}

void Put(std::string& bytes, size_t at, uint64_t number, size_t width) {
  std::memcpy(bytes.data() + at, &number, std::min(width, bytes.size() - at));
}

}  // namespace

size_t TakeChoice(std::string_view& bytes, size_t choices) {
  if (bytes.empty()) return 0;
  const size_t choice = static_cast<uint8_t>(bytes[0]) % choices;
  bytes.remove_prefix(1);
  return choice;
}

std::string Edited(std::string valid, std::string_view edits) {
  // Each is 5 bytes: what, where (2), with what (2).
  for (; edits.size() >= 5 && !valid.empty(); edits.remove_prefix(5)) {
    const size_t at = Number(edits.substr(1, 2)) % valid.size();
    const uint64_t with = Number(edits.substr(3, 2));
    switch (static_cast<uint8_t>(edits[0]) % 8) {
      case 0:
        valid[at] = static_cast<char>(with);
        break;
      case 1:
        Put(valid, at, with, 2);
        break;
      case 2:
        Put(valid, at, kSpecial[with % kSpecial.size()], 4);
        break;
      case 3:
        Put(valid, at, kSpecial[with % kSpecial.size()], 8);
        break;
      case 4:
        valid.erase(at, 1 + with % 64);
        break;
      case 5:
        valid.insert(at, 1 + with % 64, static_cast<char>(with >> 8));
        break;
      case 6:
        valid.insert(at, valid.substr(with % valid.size(), 32));
        break;
      default:
        valid.resize(at);
    }
  }
  return valid;
}

}  // namespace dray::fuzz
