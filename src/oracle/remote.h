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

// Connection to a remote oracle, which exchanges the bytes of codec.h. Throws an Error of one line
// if the connection or the remote oracle fails.
class OraclePort {
 public:
  virtual ~OraclePort() = default;
  virtual Blob Call(std::string_view request) = 0;
};

// Calls a remote oracle. Its answers equal those of a local one, bit for bit.
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

// Answers an encoded request with this oracle, on the remote side.
std::string AnswerRequest(std::string_view request, KnownCities& cities, Oracle& oracle);

// Sets the port of this process, or none if null. Environments made later use it if their config
// asks for oracle actors. One is enough: the process of an actor hosts one role.
void SetOraclePort(std::shared_ptr<OraclePort> port);
std::shared_ptr<OraclePort> GetOraclePort();

}  // namespace dray
