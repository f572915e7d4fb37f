#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "src/base/bytes.h"

namespace dray {

// Purpose of a random stream. Streams with different purposes never share a number. Tasks add their
// own purposes, such as RngPurpose{8}; see Task::random_streams.
enum class RngPurpose : uint32_t {
  kEnvironment = 1,  // an environment's own chance; index = environment
  kAction = 2,       // drawing actions; index = environment
  kInit = 3,         // network initialisation
  kMinibatch = 4,    // minibatch order; index = update
  kEvaluation = 5,   // evaluation episodes; index = episode
  kTest = 6,
  kOracle = 7,      // a routing search; index = search
  kEpisode = 10,    // one episode's chance, under a seed derived from its environment's stream
  kOrders = 12,     // orders drawn by the neural oracle; index = start and pick
  kWorkflows = 14,  // a search over workflows; index 0 = a random one, else the seed of a trial
  kNoEffect = 17,   // a search in which no order is better than another; index = search
};

// Philox 4x32-10, a counter-based generator: number i of a stream is a pure function of (seed,
// purpose, index, i). Streams therefore need no central order, can start anywhere for free, and
// give the same numbers for every layout of actors.
class Rng {
 public:
  Rng(uint64_t seed, RngPurpose purpose, uint64_t index);

  uint32_t Next32();
  uint64_t Next64();
  // Uniform in [0, 1), with 53 random bits.
  double Uniform();
  double Uniform(double low, double high) { return low + (high - low) * Uniform(); }
  // Uniform in 0 ... n - 1, without bias. n > 0.
  uint32_t Below(uint32_t n);
  // Standard normal.
  double Normal();

  template <typename T>
  void Shuffle(std::span<T> values) {
    for (size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[Below(i)]);
  }

  void Save(ByteWriter& out) const;
  void Load(ByteReader& in);

  // The bare block function, for its known-answer test.
  static std::array<uint32_t, 4> Block(std::array<uint32_t, 4> counter,
                                       std::array<uint32_t, 2> key);

 private:
  std::array<uint32_t, 2> key_;
  uint32_t purpose_;
  uint32_t index_;
  uint64_t position_ = 0;  // blocks drawn so far
  std::array<uint32_t, 4> block_{};
  uint32_t used_ = 4;  // words of block_ already returned
};

}  // namespace dray
