#include "src/oracle/registry.h"

#include "src/base/error.h"
#include "src/oracle/neural/torch_picking.h"

namespace dray {

namespace oracles {
#define ORACLE(name, kind) OracleEntry name();
DRAY_ORACLES
#undef ORACLE
}  // namespace oracles

namespace {

// Does not compile if an oracle has no kind or a kind has no oracle.
OracleEntry EntryOf(OracleConfig::Kind kind) {
  switch (kind) {
#define ORACLE(name, kind) \
  case OracleConfig::kind: \
    return oracles::name();
    DRAY_ORACLES
#undef ORACLE
    case OracleConfig::AUTO:
      break;
  }
  CheckFailed(__FILE__, __LINE__, "kind != AUTO", "");
}

std::string DoubtOf(const OracleEntry& entry, const OracleConfig& config,
                    const OracleContext& context) {
  return entry.doubt == nullptr ? "" : entry.doubt(config, context);
}

// An oracle to make, and a message to the user about the choice.
struct Choice {
  OracleEntry entry;
  std::string note;
};

Choice ChooseAuto(const OracleConfig& config, const OracleContext& context) {
  const OracleEntry slow = EntryOf(OracleConfig::RUIN_RECREATE);
  if (config.device() == CPU || !GpuPicks()) return {slow, ""};
  const OracleEntry fast = EntryOf(OracleConfig::NEURAL);
  const std::string doubt = DoubtOf(fast, config, context);
  if (doubt.empty()) return {fast, ""};
  return {slow, "oracle auto takes ruin_recreate: " + doubt};
}

Choice Choose(const OracleConfig& config, const OracleContext& context) {
  if (config.kind() == OracleConfig::AUTO) return ChooseAuto(config, context);
  const OracleEntry entry = EntryOf(config.kind());
  const std::string doubt = DoubtOf(entry, config, context);
  return {entry, doubt.empty() ? "" : doubt + ": its plans will be feasible but dear"};
}

}  // namespace

std::vector<std::string> OracleNames() {
  return {
#define ORACLE(name, kind) #name,
      DRAY_ORACLES
#undef ORACLE
  };
}

OracleConfig::Kind OracleKindNamed(const std::string& name) {
#define ORACLE(known, kind) \
  if (name == #known) return OracleConfig::kind;
  DRAY_ORACLES
#undef ORACLE
  throw UsageError("there is no oracle ", name);
}

ChosenOracle ChooseOracle(const OracleConfig& config, const OracleContext& context) {
  const Choice choice = Choose(config, context);
  return {choice.entry.make(config, context), choice.note};
}

std::vector<OracleConfig> OracleCandidates(const OracleConfig& config,
                                           const OracleContext& context) {
  std::vector<OracleConfig> candidates;
  const auto add = [&](OracleConfig::Kind kind, Device device) {
    candidates.push_back(config);
    candidates.back().set_kind(kind);
    candidates.back().set_device(device);
  };
  const bool gpu = config.device() != CPU && GpuPicks();
  if (config.kind() == OracleConfig::AUTO) {
    add(OracleConfig::RUIN_RECREATE, config.device());
    const OracleEntry neural = EntryOf(OracleConfig::NEURAL);
    if (gpu && DoubtOf(neural, config, context).empty()) add(OracleConfig::NEURAL, CUDA);
  } else if (config.kind() == OracleConfig::NEURAL && config.device() == AUTO && gpu) {
    add(OracleConfig::NEURAL, CPU);
    add(OracleConfig::NEURAL, CUDA);
  } else {
    candidates.push_back(config);
  }
  return candidates;
}

bool SharedByShards(const OracleConfig& config, const OracleContext& context) {
  const OracleEntry entry = Choose(config, context).entry;
  return entry.shared != nullptr && entry.shared(config);
}

}  // namespace dray
