#include "src/envs/cage2/workflow.h"

#include <algorithm>

#include "src/base/error.h"
#include "src/envs/cage2/blue_actions.h"

namespace dray::cage2 {
namespace {

// Returns true if a machine of every earlier kind was fixed.
bool FollowsFixed(Unit unit, uint32_t fixed, const Order& order) {
  for (const Unit earlier : order) {
    if (earlier == unit) return true;
    if ((fixed & (1u << Index(earlier))) == 0) return false;
  }
  return false;
}

// Returns true if the kind is the first in the order with one of these machines, or none has.
bool IsFirst(Unit unit, HostMask compromised, const Order& order, const Network& network) {
  uint32_t units = 0;
  for (int host = 0; host < network.hosts; ++host) {
    if ((compromised & Bit(host)) != 0) units |= 1u << Index(network.facts[host].unit);
  }
  for (const Unit first : order) {
    if ((units & (1u << Index(first))) != 0) return first == unit;
  }
  return true;
}

}  // namespace

Order OrderOf(std::span<const Unit> units) {
  std::string named;
  for (const Unit unit : units) named += Cat(named.empty() ? "" : ", ", NameOf(unit));
  for (int i = 0; i < kUnits; ++i) {
    const auto times = std::ranges::count(units, Enumerator<Unit>(i));
    if (times == 1) continue;
    throw UsageError(
        "env.cage2.workflow.order: [", named, "] names ", NameOf(Enumerator<Unit>(i)), " ",
        times == 0 ? "not at all" : Cat(times, " times"),
        "; an order has each of defender, enterprise, op_server, op_host and user once");
  }
  Order order;
  std::ranges::copy(units, order.begin());
  return order;
}

Order RandomOrder(Rng& rng) {
  Order order;
  for (int i = 0; i < kUnits; ++i) order[i] = Enumerator<Unit>(i);
  rng.Shuffle(std::span<Unit>(order));
  return order;
}

std::string TextOf(const Order& order) {
  std::string text;
  for (const Unit unit : order) text += Cat(text.empty() ? "" : " > ", NameOf(unit));
  return text;
}

void WriteOrder(const Order& order, std::span<float> values) {
  std::ranges::fill(values.first(kOrderValues), 0.0f);
  for (size_t position = 0; position < order.size(); ++position) {
    values[kUnits * position + Index(order[position])] = 1;
  }
}

bool IsFix(int blue_action, const Network& network) {
  const BlueKind kind = BlueActionOf(blue_action, network).kind;
  return kind == BlueKind::kRemove || kind == BlueKind::kRestore;
}

bool Mends(int blue_action, const Intrusion& intrusion, const Network& network) {
  const BlueAction action = BlueActionOf(blue_action, network);
  if (!IsFix(blue_action, network) || action.host == network.foothold) return false;
  const HostMask mended =
      action.kind == BlueKind::kRemove ? intrusion.removable : intrusion.sessions;
  return (mended & Bit(action.host)) != 0;
}

Compliance::Verdict Compliance::OnFix(int blue_action, const Intrusion& intrusion,
                                      const Order& order, Definition definition,
                                      const Network& network) {
  const Unit unit = network.facts[BlueActionOf(blue_action, network).host].unit;
  const bool mends = Mends(blue_action, intrusion, network);
  const uint32_t fixed_before = fixed_units_;
  useless_ += mends ? 0 : 1;
  fixed_units_ |= 1u << Index(unit);
  bool complies = false;
  switch (definition) {
    case Definition::kFixedBefore:
      complies = FollowsFixed(unit, fixed_before, order);
      break;
    case Definition::kFirstCompromised:
      complies = IsFirst(unit, intrusion.sessions, order, network);
      break;
    case Definition::kFirstToMend:
      if (!mends) return Verdict::kNotCounted;
      complies = IsFirst(unit, intrusion.sessions & ~Bit(network.foothold), order, network);
      break;
  }
  ++fixes_;
  compliant_ += complies ? 1 : 0;
  return complies ? Verdict::kCompliant : Verdict::kViolation;
}

}  // namespace dray::cage2
