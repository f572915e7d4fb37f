#include "src/oracle/remote.h"

#include <mutex>
#include <utility>

#include "src/base/error.h"

namespace dray {
namespace {

// Returns pointers to the elements, as oracles take them.
template <typename T>
std::vector<const T*> PointersTo(const std::vector<T>& values) {
  std::vector<const T*> pointers;
  for (const T& value : values) pointers.push_back(&value);
  return pointers;
}

struct ProcessPort {
  std::mutex mutex;
  std::shared_ptr<OraclePort> port;
};

ProcessPort& ThePort() {
  static ProcessPort port;
  return port;
}

}  // namespace

std::vector<OracleAnswer> RemoteOracle::Solve(std::span<const Problem* const> problems) {
  return Ask(OracleTask::kSolve, problems, {});
}

std::vector<OracleAnswer> RemoteOracle::Improve(std::span<const Problem* const> problems,
                                                std::span<const Plan* const> plans) {
  return Ask(OracleTask::kImprove, problems, plans);
}

std::vector<OracleAnswer> RemoteOracle::Ask(OracleTask task,
                                            std::span<const Problem* const> problems,
                                            std::span<const Plan* const> plans) {
  std::vector<uint64_t> send;
  // Another actor may answer each try and know other matrices; each try adds at least one.
  while (send.size() <= problems.size()) {
    const Blob bytes = port_->Call(EncodeRequest(task, problems, plans, send));
    OracleReply reply = DecodeReply(bytes.view(), problems);
    if (reply.unknown.empty()) return std::move(reply.answers);
    send.insert(send.end(), reply.unknown.begin(), reply.unknown.end());
  }
  throw Failure("the oracle keeps asking for travel matrices that it was already sent");
}

std::string AnswerRequest(std::string_view request, KnownCities& cities, Oracle& oracle) {
  const OracleRequest asked = DecodeRequest(request, cities);
  if (!asked.unknown.empty()) return EncodeReply({.unknown = asked.unknown});
  const std::vector<const Problem*> problems = PointersTo(asked.problems);
  if (asked.task == OracleTask::kSolve) return EncodeReply({.answers = oracle.Solve(problems)});
  return EncodeReply({.answers = oracle.Improve(problems, PointersTo(asked.plans))});
}

void SetOraclePort(std::shared_ptr<OraclePort> port) {
  const std::lock_guard lock(ThePort().mutex);
  ThePort().port = std::move(port);
}

std::shared_ptr<OraclePort> GetOraclePort() {
  const std::lock_guard lock(ThePort().mutex);
  return ThePort().port;
}

}  // namespace dray
