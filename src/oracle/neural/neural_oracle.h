#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/base/thread_team.h"
#include "src/oracle/neural/sequence_insertion.h"
#include "src/oracle/neural/sequence_picker.h"
#include "src/oracle/oracle.h"

namespace dray {

// A network chooses the order of the requests, and exact cheapest insertion places them. With
// several starts, keeps the best of as many sequences.
class NeuralOracle : public Oracle {
 public:
  // The team does the insertions and must outlive this object.
  NeuralOracle(std::unique_ptr<SequencePicker> picker, int starts,
               ThreadTeam& team = ThreadTeam::Alone());

  std::string name() const override { return "neural"; }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override;

 private:
  void Insert(std::span<const Problem* const> problems, const std::vector<Sequences>& sequences,
              std::span<OracleAnswer> answers);

  ThreadTeam& team_;
  std::unique_ptr<SequencePicker> picker_;
  int starts_;
  std::vector<SequenceInsertion> insertions_;  // one per part of the team's work
};

}  // namespace dray
