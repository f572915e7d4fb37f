#pragma once

#include <cstdint>
#include <vector>

namespace dray::waves {

// NumPy's default_rng(seed), number for number: the seed is hashed as by SeedSequence, the
// generator is PCG64, and Integers draws what Generator.integers(n, size=count) does.
class NumpyRandom {
 public:
  explicit NumpyRandom(uint64_t seed);

  // Returns `count` numbers from 0 to n - 1. n > 0.
  std::vector<int64_t> Integers(int64_t n, int count);

 private:
  __extension__ using Wide = unsigned __int128;

  uint64_t Next64();
  // Returns the lower half of 64 bits, and their upper half at the next call, even if Integers is
  // called with a different range in between.
  uint32_t Next32();
  uint32_t Below32(uint32_t n);
  uint64_t Below64(uint64_t n);

  Wide state_ = 0;
  Wide increment_ = 0;
  bool has_upper_ = false;
  uint32_t upper_ = 0;
};

}  // namespace dray::waves
