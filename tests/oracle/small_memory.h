#pragma once

#include <string>
#include <vector>

#include "src/oracle/oracle.h"
#include "src/oracle/splitting.h"

namespace dray {

// An oracle that runs out of memory above a size.
class SmallMemory : public Oracle {
 public:
  explicit SmallMemory(size_t fits) : fits_(fits) {}
  std::string name() const override { return "small"; }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override {
    if (problems.size() > fits_) throw OutOfMemory();
    sizes.push_back(problems.size());
    return std::vector<OracleAnswer>(problems.size());
  }
  std::vector<size_t> sizes;  // of the batches that fitted

 private:
  size_t fits_;
};

}  // namespace dray
