#pragma once

#include <cstdint>
#include <future>
#include <vector>

namespace dray {

// Orders of the samples for the passes of an update, each a shuffle of the one before; with
// sequences, of whole ones. Shuffling
// many samples takes as long as a GPU takes to learn from them, so the next update's orders can be
// made in the background.
class PassOrders {
 public:
  struct Request {
    uint64_t seed = 0;
    uint32_t stream = 0;  // of random numbers
    int64_t rows = 0;
    int passes = 0;
    // Steps of a sequence, and the environments whose rows of a step are neighbours.
    int64_t sequence = 1;
    int64_t envs = 1;

    bool operator==(const Request&) const = default;
  };
  using Orders = std::vector<std::vector<int64_t>>;

  // Makes the orders, without an object's help.
  static Orders Make(const Request& request);

  // Returns the orders, whether they were prepared or not.
  Orders Take(const Request& request);
  // Begins to make orders, if they are so long that this pays.
  void Prepare(const Request& request);

 private:
  Request prepared_;
  std::future<Orders> orders_;
};

}  // namespace dray
