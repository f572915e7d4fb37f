#include "src/envs/cage2/story.h"

#include <cstdio>

#include "src/base/error.h"
#include "src/envs/cage2/blue_actions.h"
#include "src/envs/cage2/monitor.h"

namespace dray::cage2 {
namespace {

std::string BlueText(int action, BlueEffect effect, const Network& network) {
  const std::string name = ActionName(action, network);
  const BlueKind kind = BlueActionOf(action, network).kind;
  switch (effect) {
    case BlueEffect::kMalwareFound:
      return name + " (malware found)";
    case BlueEffect::kSessionsRemoved:
      return name + " (red thrown out)";
    case BlueEffect::kDecoyPlaced:
      return name + " (placed)";
    case BlueEffect::kRestored:
      return name + " (as new; costs 1)";
    case BlueEffect::kNone:
      break;
  }
  if (kind == BlueKind::kAnalyse) return name + " (nothing found)";
  if (kind == BlueKind::kRemove) return name + " (nothing to remove)";
  return IsDecoy(kind) ? name + " (no room for it)" : name;
}

std::string RedText(const StepRecord& record, const Network& network) {
  const std::string result = record.red_success ? "" : ": failed";
  const auto host = [&] { return network.names[record.red_target]; };
  switch (record.red_action) {
    case RedAction::kSleep:
      return "sleeps";
    case RedAction::kDiscoverSystems:
      return Cat("looks for hosts in ", network.subnet_names[record.red_target], result);
    case RedAction::kDiscoverServices:
      return Cat("scans ", host(), result);
    case RedAction::kExploit:
      if (record.exploit == Exploit::kNone) return Cat("finds nothing to exploit on ", host());
      return Cat("attacks ", host(), " with ", NameOf(record.exploit),
                 record.red_success ? ": is in" : result, record.detected == 0 ? ", unseen" : "");
    case RedAction::kEscalate:
      return Cat("takes over ", host(), result);
    case RedAction::kImpact:
      return Cat("strikes ", host(), result);
  }
  return "";
}

std::string SeenText(uint64_t observation, const Network& network) {
  std::string text;
  for (int host = 0; host < network.hosts; ++host) {
    std::string seen;
    switch (ActivityIn(observation, host, network)) {
      case Activity::kNone:
        break;
      case Activity::kScan:
        seen = "scan";
        break;
      case Activity::kExploit:
        seen = "exploit";
        break;
    }
    const char* access = nullptr;
    switch (CompromisedIn(observation, host, network)) {
      case Compromised::kNo:
        break;
      case Compromised::kUnknown:
        access = "access unknown";
        break;
      case Compromised::kUser:
        access = "user access";
        break;
      case Compromised::kPrivileged:
        access = "privileged access";
        break;
    }
    if (access != nullptr) seen += Cat(seen.empty() ? "" : ", ", access);
    if (seen.empty()) continue;
    text += Cat(text.empty() ? "" : "; ", network.names[host], " (", seen, ")");
  }
  return text.empty() ? "nothing" : text;
}

}  // namespace

std::string StoryOf(int step, int blue_action, const StepRecord& record, const Network& network) {
  char head[48];
  std::snprintf(head, sizeof(head), "step %3d  reward %5.1f", step, record.reward());
  std::string text = Cat(head, "\n  blue  ", BlueText(blue_action, record.effect, network));
  if (record.green_scan != kNoHost) {
    text += Cat("\n  green scans ", network.names[record.green_scan]);
  }
  return Cat(text, "\n  red   ", RedText(record, network), "\n  seen  ",
             SeenText(record.observation, network));
}

}  // namespace dray::cage2
