#include "src/oracle/neural/neural_oracle.h"

#include <algorithm>

#include "src/base/error.h"
#include "src/nets/range.h"

namespace dray {
namespace {

constexpr size_t kLeastHalf = 128;  // problems: a GPU takes hardly longer for them than for one

}  // namespace

NeuralOracle::NeuralOracle(std::unique_ptr<SequencePicker> picker, int starts, ThreadTeam& team)
    : team_(team), picker_(std::move(picker)), starts_(starts), insertions_(team.MostParts()) {
  DRAY_CHECK_GE(starts, 1);
}

void NeuralOracle::Insert(std::span<const Problem* const> problems,
                          const std::vector<Sequences>& sequences,
                          std::span<OracleAnswer> answers) {
  const auto count = std::ssize(problems);
  const int parts = PartsOf(count, /*least=*/1, std::ssize(insertions_));
  team_.For(parts, [&](int part) {
    SequenceInsertion& insertion = insertions_[part];
    const Range range = PartOf(count, part, parts, /*unit=*/1);
    for (int64_t i = range.first; i < range.first + range.count; ++i) {
      insertion.Load(*problems[i]);
      answers[i] = insertion.Best(sequences[i]);
    }
  });
}

std::vector<OracleAnswer> NeuralOracle::Solve(std::span<const Problem* const> problems) {
  std::vector<OracleAnswer> answers(problems.size());
  if (!picker_->leaves_cores_free() || problems.size() < 2 * kLeastHalf) {
    Insert(problems, picker_->Pick(problems, starts_), answers);
    return answers;
  }
  // The CPU inserts one half while the GPU picks for the other.
  const size_t half = problems.size() / 2;
  const auto first = problems.first(half), second = problems.subspan(half);
  picker_->Begin(first, starts_);
  picker_->Begin(second, starts_);
  Insert(first, picker_->Take(), std::span(answers).first(half));
  Insert(second, picker_->Take(), std::span(answers).subspan(half));
  return answers;
}

}  // namespace dray
