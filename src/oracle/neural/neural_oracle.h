#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/oracle/neural/sequence_insertion.h"
#include "src/oracle/neural/sequence_picker.h"
#include "src/oracle/oracle.h"

namespace dray {

// A network says in which order requests are inserted, exact cheapest insertion places them. With
// several starts the best of as many sequences is kept.
class NeuralOracle : public Oracle {
 public:
  // Insertions are done on so many threads.
  NeuralOracle(std::unique_ptr<SequencePicker> picker, int starts, int threads = 1);

  std::string name() const override { return "neural"; }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override;

 private:
  std::unique_ptr<SequencePicker> picker_;
  int starts_;
  std::vector<SequenceInsertion> insertions_;  // by thread
};

}  // namespace dray
