#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/oracle/known_cities.h"
#include "src/oracle/oracle.h"

namespace dray {

// Encodes calls to a remote oracle as bytes. Travel matrices are large and rarely change, so a
// problem refers to its matrix by fingerprint, and the matrix itself is sent only after the other
// side has reported that it does not know it. Names, points and file line numbers are not sent: no
// oracle reads them.
//
// Decoding throws an Error if the bytes are damaged or describe an invalid problem.

// Selects between Oracle::Solve and Oracle::Improve.
enum class OracleTask : uint8_t { kSolve, kImprove };

// Encodes a call. Includes the matrices whose fingerprints are in `send`. `plans` has one plan per
// problem for kImprove and is empty for kSolve.
std::string EncodeRequest(OracleTask task, std::span<const Problem* const> problems,
                          std::span<const Plan* const> plans, std::span<const uint64_t> send);

struct OracleRequest {
  OracleTask task = OracleTask::kSolve;
  std::vector<Problem> problems = {};
  std::vector<Plan> plans = {};
  // Fingerprints of matrices that are neither known nor included. If there are any, `problems` is
  // empty.
  std::vector<uint64_t> unknown = {};
};
// Decodes a call and adds the matrices it includes to `cities`.
OracleRequest DecodeRequest(std::string_view bytes, KnownCities& cities);

// Holds either the answers or the fingerprints of unknown matrices.
struct OracleReply {
  std::vector<OracleAnswer> answers = {};
  std::vector<uint64_t> unknown = {};
};
std::string EncodeReply(const OracleReply& reply);
// Decodes the reply to a request about `problems`.
OracleReply DecodeReply(std::string_view bytes, std::span<const Problem* const> problems);

}  // namespace dray
