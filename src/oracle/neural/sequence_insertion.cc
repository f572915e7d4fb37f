#include "src/oracle/neural/sequence_insertion.h"

#include <utility>

#include "src/base/error.h"

namespace dray {

void SequenceInsertion::Insert(std::span<const int> sequence) {
  DRAY_CHECK_EQ(std::ssize(sequence), book_.requests());
  book_.Clear(tours_);
  tours_.absent.assign(sequence.begin(), sequence.end());
  book_.InsertAbsent(tours_);
}

PlanCost SequenceInsertion::Price(std::span<const int> sequence) {
  Insert(sequence);
  return book_.CostOf(tours_);
}

OracleAnswer SequenceInsertion::Best(const Sequences& sequences) {
  const size_t requests = book_.requests();
  if (requests == 0) return {};
  size_t best = 0;
  std::pair<int, int64_t> lowest;
  for (size_t start = 0; start < sequences.size(); start += requests) {
    const PlanCost cost = Price(std::span(sequences).subspan(start, requests));
    const std::pair<int, int64_t> key(cost.unserved, cost.total());
    if (start == 0 || key < lowest) {
      lowest = key;
      best = start;
    }
  }
  // The last sequence's tours are still here.
  if (best + requests != sequences.size()) Insert(std::span(sequences).subspan(best, requests));
  return book_.Answer(tours_);
}

}  // namespace dray
