#include "src/learn/pass_orders.h"

#include <numeric>
#include <span>
#include <system_error>

#include "src/base/rng.h"

namespace dray {
namespace {

constexpr int64_t kWorthAThread = 65'536;  // about a millisecond of shuffling

}  // namespace

PassOrders::Orders PassOrders::Make(const Request& request) {
  Rng rng(request.seed, RngPurpose::kMinibatch, request.stream);
  const int64_t sequence = request.sequence, envs = request.envs;
  std::vector<int64_t> order(request.rows / sequence);
  std::iota(order.begin(), order.end(), 0);
  Orders orders;
  for (int pass = 0; pass < request.passes; ++pass) {
    rng.Shuffle(std::span(order));
    if (sequence == 1) {
      orders.push_back(order);
      continue;
    }
    std::vector<int64_t>& rows = orders.emplace_back();
    rows.reserve(request.rows);
    for (const int64_t one : order) {
      const int64_t first = one / envs * sequence * envs + one % envs;
      for (int64_t step = 0; step < sequence; ++step) rows.push_back(first + step * envs);
    }
  }
  return orders;
}

PassOrders::Orders PassOrders::Take(const Request& request) {
  if (!orders_.valid() || request != prepared_) return Make(request);
  return orders_.get();
}

void PassOrders::Prepare(const Request& request) {
  if (request.rows * request.passes < kWorthAThread) return;
  prepared_ = request;
  try {
    orders_ = std::async(std::launch::async, Make, request);
  } catch (const std::system_error&) {  // no thread to be had: Take makes them
  }
}

}  // namespace dray
