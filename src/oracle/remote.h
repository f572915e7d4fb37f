#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/bytes.h"
#include "src/oracle/codec.h"
#include "src/oracle/oracle.h"

namespace dray {

// The way to an oracle elsewhere: bytes of codec.h there and back. What goes wrong on the way or
// over there is an Error of one line.
class OraclePort {
 public:
  virtual ~OraclePort() = default;
  virtual Blob Call(std::string_view request) = 0;
};

// An oracle elsewhere, as if it were here: the same answers, bit for bit.
class RemoteOracle : public Oracle {
 public:
  explicit RemoteOracle(std::shared_ptr<OraclePort> port) : port_(std::move(port)) {}

  std::string name() const override { return "remote"; }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override;
  std::vector<OracleAnswer> Improve(std::span<const Problem* const> problems,
                                    std::span<const Plan* const> plans) override;

 private:
  std::vector<OracleAnswer> Ask(OracleTask task, std::span<const Problem* const> problems,
                                std::span<const Plan* const> plans);

  std::shared_ptr<OraclePort> port_;
};

// The other end: what a request is answered with, by this oracle.
std::string AnswerRequest(std::string_view request, KnownCities& cities, Oracle& oracle);

// The port of this process, for environments that are made from then on and whose config asks for
// an oracle elsewhere. One for all: the process of an actor hosts one role. nullptr: none.
void SetOraclePort(std::shared_ptr<OraclePort> port);
std::shared_ptr<OraclePort> GetOraclePort();

}  // namespace dray
