#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>

#include "src/oracle/neural/make_neural_oracle.h"
#include "src/oracle/neural/torch_sequence_picker.h"
#include "tests/oracle/neural/problem_batch.h"

// Prints what the neural oracle takes, by batch and by part: sequence_speed [requests] [starts]
// [threads] [cpu|cuda]. Requests 0: all sizes from 1 to 30.

namespace dray {
namespace {

// Of one thread on a CPU its own time, which others that share the machine do not lengthen; else
// the clock on the wall. The best of a second's worth of calls.
double Milliseconds(bool own_time, const std::function<void()>& body) {
  const auto now = [own_time] {
    timespec time{};
    clock_gettime(own_time ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
  };
  body();
  double best = 1e9;
  double total = 0;
  while (total < 1000) {
    const double begin = now();
    body();
    const double elapsed = now() - begin;
    best = std::min(best, elapsed);
    total += elapsed;
  }
  return best;
}

void Measure(int requests, int starts, int threads, Device device) {
  at::set_num_threads(threads);
  const bool own_time = threads == 1 && device == CPU;
  const SequenceWeights weights = RandomSequenceWeights({}, 1);
  ThreadTeam team(threads);
  std::unique_ptr<SequencePicker> picker = MakeSequencePicker(weights, team, device);
  const auto oracle = MakeNeuralOracle(weights, {.starts = starts, .threads = threads}, device);
  for (const int batch : {1, 64, 256, 512}) {
    std::vector<Problem> problems;
    for (int i = 0; i < batch; ++i) {
      Rng rng(3, RngPurpose::kTest, static_cast<uint64_t>(i));
      problems.push_back(RandomDeliveryProblem(requests > 0 ? requests : 1 + i * 7 % 30, rng));
    }
    std::vector<const Problem*> pointers;
    for (const Problem& problem : problems) pointers.push_back(&problem);
    const double features =
        Milliseconds(own_time, [&] { MakeRequestBatch(pointers, 32, team, at::kCPU); });
    const double sequences = Milliseconds(own_time, [&] { picker->Pick(pointers, starts); });
    const double all = Milliseconds(own_time, [&] { oracle->Solve(pointers); });
    std::printf(
        "batch %3d: features %.3f ms, sequences %.3f ms, answers %.3f ms, %.0f problems/s\n", batch,
        features, sequences, all, 1000 * batch / all);
  }
}

}  // namespace
}  // namespace dray

int main(int argc, char** argv) {
  const auto number = [&](int index, int otherwise) {
    return argc > index ? std::atoi(argv[index]) : otherwise;
  };
  const bool cuda = argc > 4 && std::string(argv[4]) == "cuda";
  dray::Measure(number(1, 30), number(2, 1), number(3, 1), cuda ? dray::CUDA : dray::CPU);
}
