#include "src/oracle/neural/neural_oracle.h"

#include "src/base/error.h"
#include "src/base/parallel_for.h"

namespace dray {

NeuralOracle::NeuralOracle(std::unique_ptr<SequencePicker> picker, int starts, int threads)
    : picker_(std::move(picker)), starts_(starts), insertions_(static_cast<size_t>(threads)) {
  DRAY_CHECK_GE(starts, 1);
}

std::vector<OracleAnswer> NeuralOracle::Solve(std::span<const Problem* const> problems) {
  const std::vector<Sequences> sequences = picker_->Pick(problems, starts_);
  std::vector<OracleAnswer> answers(problems.size());
  ParallelFor(static_cast<int>(insertions_.size()), problems.size(), [&](size_t i, int thread) {
    SequenceInsertion& insertion = insertions_[static_cast<size_t>(thread)];
    insertion.Load(*problems[i]);
    answers[i] = insertion.Best(sequences[i]);
  });
  return answers;
}

}  // namespace dray
