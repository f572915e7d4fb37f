#include "src/oracle/neural/cpu_sequence_picker.h"

#include <utility>

#include "src/base/parallel_for.h"

namespace dray {
namespace {

// Requests encoded together: enough to read the weights from memory rarely, few enough to stay in
// the cache.
constexpr size_t kRowsTogether = 128;

struct Group {
  std::vector<size_t> indices;
  std::vector<const Problem*> problems;
};

std::vector<Group> Groups(std::span<const Problem* const> problems) {
  std::vector<Group> groups;
  size_t rows = 0;
  for (size_t i = 0; i < problems.size(); ++i) {
    const size_t requests = problems[i]->requests.size();
    if (requests == 0) continue;
    if (groups.empty() || rows + requests > kRowsTogether) {
      groups.emplace_back();
      rows = 0;
    }
    rows += requests;
    groups.back().indices.push_back(i);
    groups.back().problems.push_back(problems[i]);
  }
  return groups;
}

}  // namespace

CpuSequencePicker::CpuSequencePicker(SequenceWeights weights, int threads)
    : weights_(std::move(weights)) {
  for (int thread = 0; thread < threads; ++thread)
    workers_.push_back(std::make_unique<Worker>(weights_));
}

void CpuSequencePicker::Begin(std::span<const Problem* const> problems, int starts) {
  std::vector<Sequences> sequences(problems.size());
  const std::vector<Group> groups = Groups(problems);
  ParallelFor(workers_.size(), groups.size(), [&](size_t i, int thread) {
    Worker& worker = *workers_[thread];
    const std::span<const EncodedRequests> encoded = worker.encoder.Encode(groups[i].problems);
    for (size_t k = 0; k < encoded.size(); ++k)
      sequences[groups[i].indices[k]] = worker.decoder.Pick(encoded[k], starts);
  });
  picked_.push_back(std::move(sequences));
}

std::vector<Sequences> CpuSequencePicker::Take() {
  std::vector<Sequences> sequences = std::move(picked_.front());
  picked_.pop_front();
  return sequences;
}

}  // namespace dray
