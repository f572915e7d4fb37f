#include "src/base/rng.h"

#include <cmath>
#include <numbers>

#include "src/base/error.h"

namespace dray {
namespace {

constexpr uint32_t Low(uint64_t word) { return word; }
constexpr uint32_t High(uint64_t word) { return word >> 32; }

}  // namespace

std::array<uint32_t, 4> Rng::Block(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xD2511F53} * counter[0];
    const uint64_t b = uint64_t{0xCD9E8D57} * counter[2];
    counter = {High(b) ^ counter[1] ^ key[0], Low(b), High(a) ^ counter[3] ^ key[1], Low(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

Rng::Rng(uint64_t seed, RngPurpose purpose, uint64_t index)
    : key_{Low(seed), High(seed)}, purpose_(static_cast<uint32_t>(purpose)), index_(index) {
  DRAY_CHECK_LT(index, uint64_t{1} << 32);
}

uint32_t Rng::Next32() {
  if (used_ == 4) {
    block_ = Block({Low(position_), High(position_), index_, purpose_}, key_);
    ++position_;
    used_ = 0;
  }
  return block_[used_++];
}

uint64_t Rng::Next64() {
  const uint64_t high = Next32();
  return (high << 32) | Next32();
}

double Rng::Uniform() { return (Next64() >> 11) * 0x1.0p-53; }

uint32_t Rng::Below(uint32_t n) {
  DRAY_CHECK_GT(n, 0u);
  // Lemire's method: the high word of a product, redrawn in the rare case that would be biased.
  uint64_t product = uint64_t{Next32()} * n;
  if (Low(product) < n) {
    const uint32_t threshold = -n % n;
    while (Low(product) < threshold) product = uint64_t{Next32()} * n;
  }
  return High(product);
}

double Rng::Normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - Uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * Uniform());
}

void Rng::Save(ByteWriter& out) const {
  out.Put(key_);
  out.Put(purpose_);
  out.Put(index_);
  out.Put(position_);
  out.Put(block_);
  out.Put(used_);
}

void Rng::Load(ByteReader& in) {
  Rng loaded = *this;  // a state that fails to load leaves this one unchanged
  loaded.key_ = in.Get<decltype(key_)>();
  loaded.purpose_ = in.Get<uint32_t>();
  loaded.index_ = in.Get<uint32_t>();
  loaded.position_ = in.Get<uint64_t>();
  loaded.block_ = in.Get<decltype(block_)>();
  loaded.used_ = in.Get<uint32_t>();
  if (loaded.used_ > 4) throw Failure("a random number generator's saved state is damaged");
  *this = loaded;
}

}  // namespace dray
