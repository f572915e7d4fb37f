#pragma once

// The facade's C++17 skin, header-only: exceptions and values in the caller's own ABI.

#include <stdexcept>
#include <string>

#include "src/api/dray.h"

namespace dray_api {

class Error : public std::runtime_error {
 public:
  Error(dray_status status, const char* message) : std::runtime_error(message), status_(status) {}
  // The exit code for a command that ends with this error.
  int exit_code() const { return status_; }

 private:
  dray_status status_;
};

inline void Check(dray_status status) {
  if (status != 0) throw Error(status, dray_last_error());
}

inline void Train(int argc, const char* const* argv) { Check(dray_train(argc, argv)); }
inline void Evaluate(int argc, const char* const* argv) { Check(dray_evaluate(argc, argv)); }
inline void Solve(int argc, const char* const* argv) { Check(dray_solve(argc, argv)); }
inline void TrainOracle(int argc, const char* const* argv) { Check(dray_train_oracle(argc, argv)); }

}  // namespace dray_api
