#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/oracle/known_cities.h"
#include "src/oracle/oracle.h"

namespace dray {

// Calls of an oracle elsewhere, as bytes. Travel matrices are large and the same from call to call:
// a problem names its own by a fingerprint, and the matrix itself goes along only when the other
// side said that it does not know it. What no oracle looks at (names, points, numbers in files)
// stays here.
//
// Bytes that were damaged on the way, or that describe what no oracle could work on, are an Error.

// Whether an oracle shall solve problems anew or improve plans that they had.
enum class OracleTask : uint8_t { kSolve, kImprove };

// Of the matrices, those in `send` go along. `plans` are those to improve, one per problem; none
// when the task is to solve.
std::string EncodeRequest(OracleTask task, std::span<const Problem* const> problems,
                          std::span<const Plan* const> plans, std::span<const uint64_t> send);

struct OracleRequest {
  OracleTask task = OracleTask::kSolve;
  std::vector<Problem> problems = {};
  std::vector<Plan> plans = {};
  // Fingerprints of matrices that are neither known nor sent along; when there are any, there are
  // no problems.
  std::vector<uint64_t> unknown = {};
};
// Matrices that came along are known from then on.
OracleRequest DecodeRequest(std::string_view bytes, KnownCities& cities);

// Either answers, or which cities are unknown.
struct OracleReply {
  std::vector<OracleAnswer> answers = {};
  std::vector<uint64_t> unknown = {};
};
std::string EncodeReply(const OracleReply& reply);
// The reply to a request about these problems.
OracleReply DecodeReply(std::string_view bytes, std::span<const Problem* const> problems);

}  // namespace dray
