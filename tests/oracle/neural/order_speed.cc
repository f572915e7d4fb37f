#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "src/oracle/neural/make_neural_oracle.h"
#include "src/oracle/neural/torch_order_picker.h"
#include "tests/oracle/neural/problem_batch.h"

// Prints what the neural oracle takes, by batch and by part: order_speed [requests] [starts]
// [threads] [cpu|cuda]. Requests 0: all sizes from 1 to 30.

namespace dray {
namespace {

// Wall-clock time on a quiet machine. The best of a second's worth of calls.
double Milliseconds(const std::function<void()>& body) {
  body();
  double best = 1e9;
  double total = 0;
  while (total < 1000) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    const std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - begin;
    best = std::min(best, elapsed.count());
    total += elapsed.count();
  }
  return best;
}

void Measure(int requests, int starts, int threads, const at::Device& device) {
  at::set_num_threads(threads);
  const OrderWeights weights = RandomOrderWeights({}, 1);
  std::unique_ptr<OrderPicker> picker = MakeOrderPicker(weights, threads, device);
  const auto oracle = MakeNeuralOracle(weights, {.starts = starts, .threads = threads}, device);
  for (const int batch : {1, 64, 256}) {
    std::vector<Problem> problems;
    for (int i = 0; i < batch; ++i) {
      Rng rng(3, RngPurpose::kTest, static_cast<uint64_t>(i));
      problems.push_back(RandomDeliveryProblem(requests > 0 ? requests : 1 + i * 7 % 30, rng));
    }
    std::vector<const Problem*> pointers;
    for (const Problem& problem : problems) pointers.push_back(&problem);
    const double features = Milliseconds([&] { MakeOrderBatch(pointers, 32, threads, at::kCPU); });
    const double orders = Milliseconds([&] { picker->Pick(pointers, starts); });
    const double all = Milliseconds([&] { oracle->Solve(pointers); });
    std::printf("batch %3d: features %.3f ms, orders %.3f ms, answers %.3f ms, %.0f problems/s\n",
                batch, features, orders, all, 1000 * batch / all);
  }
}

}  // namespace
}  // namespace dray

int main(int argc, char** argv) {
  const auto number = [&](int index, int otherwise) {
    return argc > index ? std::atoi(argv[index]) : otherwise;
  };
  const bool cuda = argc > 4 && std::string(argv[4]) == "cuda";
  dray::Measure(number(1, 30), number(2, 1), number(3, 1), cuda ? at::kCUDA : at::kCPU);
}
