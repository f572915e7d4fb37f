#include "src/envs/waves/numpy_random.h"

#include <array>
#include <bit>

#include "src/base/error.h"

namespace dray::waves {
namespace {

constexpr int kPool = 4;
constexpr int kShift = 16;

// Hash of NumPy's SeedSequence: a word is mixed with a constant that changes with every use.
class WordHash {
 public:
  WordHash(uint32_t first, uint32_t factor) : constant_(first), factor_(factor) {}

  uint32_t operator()(uint32_t word) {
    word ^= constant_;
    constant_ *= factor_;
    word *= constant_;
    return word ^ (word >> kShift);
  }

 private:
  uint32_t constant_;
  uint32_t factor_;
};

uint32_t Mix(uint32_t x, uint32_t y) {
  const uint32_t mixed = 0xca01f9ddu * x - 0x4973f715u * y;
  return mixed ^ (mixed >> kShift);
}

// Returns SeedSequence(seed).generate_state(4, uint64).
std::array<uint64_t, 4> SeedState(uint64_t seed) {
  std::array<uint32_t, kPool> pool = {static_cast<uint32_t>(seed),
                                      static_cast<uint32_t>(seed >> 32), 0, 0};
  WordHash absorb(0x43b0d7e5u, 0x931e8875u);
  for (uint32_t& word : pool) word = absorb(word);
  for (int from = 0; from < kPool; ++from) {
    for (int to = 0; to < kPool; ++to) {
      if (from != to) pool[to] = Mix(pool[to], absorb(pool[from]));
    }
  }
  WordHash emit(0x8b51f9ddu, 0x58f38dedu);
  std::array<uint64_t, 4> state;
  for (int i = 0; i < 4; ++i) {
    const uint64_t low = emit(pool[2 * i % kPool]);
    const uint64_t high = emit(pool[(2 * i + 1) % kPool]);
    state[i] = high << 32 | low;
  }
  return state;
}

}  // namespace

NumpyRandom::NumpyRandom(uint64_t seed) {
  const std::array<uint64_t, 4> seeded = SeedState(seed);
  const Wide start = Wide{seeded[0]} << 64 | seeded[1];
  increment_ = (Wide{seeded[2]} << 64 | seeded[3]) << 1 | 1;
  Next64();
  state_ += start;
  Next64();
}

uint64_t NumpyRandom::Next64() {
  constexpr Wide kFactor = Wide{2549297995355413924u} << 64 | 4865540595714422341u;
  state_ = state_ * kFactor + increment_;
  const auto folded = static_cast<uint64_t>(state_ >> 64) ^ static_cast<uint64_t>(state_);
  return std::rotr(folded, static_cast<int>(state_ >> 122));
}

uint32_t NumpyRandom::Next32() {
  if (has_upper_) {
    has_upper_ = false;
    return upper_;
  }
  const uint64_t both = Next64();
  has_upper_ = true;
  upper_ = static_cast<uint32_t>(both >> 32);
  return static_cast<uint32_t>(both);
}

// Lemire's method: the upper half of a product, drawn again in the rare case that would be biased.
uint32_t NumpyRandom::Below32(uint32_t n) {
  uint64_t product = uint64_t{Next32()} * n;
  if (static_cast<uint32_t>(product) < n) {
    const uint32_t threshold = -n % n;
    while (static_cast<uint32_t>(product) < threshold) product = uint64_t{Next32()} * n;
  }
  return product >> 32;
}

uint64_t NumpyRandom::Below64(uint64_t n) {
  Wide product = Wide{Next64()} * n;
  if (static_cast<uint64_t>(product) < n) {
    const uint64_t threshold = -n % n;
    while (static_cast<uint64_t>(product) < threshold) product = Wide{Next64()} * n;
  }
  return static_cast<uint64_t>(product >> 64);
}

std::vector<int64_t> NumpyRandom::Integers(int64_t n, int count) {
  constexpr int64_t kWords = int64_t{1} << 32;
  DRAY_CHECK(n > 0);
  std::vector<int64_t> numbers(count);
  if (n == 1) return numbers;
  for (int64_t& number : numbers) {
    if (n < kWords) {
      number = Below32(n);
    } else {
      number = n == kWords ? Next32() : Below64(n);
    }
  }
  return numbers;
}

}  // namespace dray::waves
