#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "src/base/counts.h"
#include "src/base/rng.h"
#include "src/envs/cage2/network.h"

namespace dray::cage2 {

// Order in which to repair the kinds of machines, first to last.
using Order = std::array<Unit, kUnits>;

// Throws an Error if a kind is missing or named twice.
Order OrderOf(std::span<const Unit> units);
Order RandomOrder(Rng& rng);
// Returns text such as "user > enterprise > ...".
std::string TextOf(const Order& order);

// One-hot encoding of an order: the value at 5 x position + kind is 1, all others 0.
inline constexpr int kOrderValues = kUnits * kUnits;
void WriteOrder(const Order& order, std::span<float> values);

// Rules for whether a fix (a Remove or Restore) complies with the order. Other actions are neutral.
enum class Definition : uint8_t {
  // Every earlier kind was already fixed in this episode, needed or not. Depends on actions only.
  kFixedBefore,
  // The machine's kind is the first in the order with a red session, or no kind has one. Because
  // red
  // never loses its foothold, "user" always has one.
  kFirstCompromised,
  // No earlier kind has a machine with a red session, the foothold aside. Counts only fixes that
  // throw red out of a machine.
  kFirstToMend,
};

// Hosts that red holds. Known to the reward but not to the policy.
struct Intrusion {
  HostMask sessions = 0;   // hosts with a red session, always including the foothold
  HostMask removable = 0;  // hosts where a Remove would end a session
};

// Returns true for a Remove or Restore.
bool IsFix(int blue_action, const Network& network);
// Returns true if a fix throws red out of a host: a Remove that ends a session, or a Restore where
// there is one. Never true for the foothold, which red cannot lose.
bool Mends(int blue_action, const Intrusion& intrusion, const Network& network);

// Counts how many fixes of an episode complied. Plain data.
class Compliance {
 public:
  enum class Verdict { kNotCounted, kCompliant, kViolation };

  // Judges a fix. Must be called before the fix is carried out.
  Verdict OnFix(int blue_action, const Intrusion& intrusion, const Order& order,
                Definition definition, const Network& network);

  // Share of the counted fixes that complied; 0.5 before the first.
  double rate() const { return fixes_ == 0 ? 0.5 : static_cast<double>(compliant_) / fixes_; }
  int fixes() const { return fixes_; }
  int violations() const { return fixes_ - compliant_; }
  // Number of fixes that threw red out of nothing, whether counted above or not.
  int useless() const { return useless_; }
  // Kinds fixed in this episode: bit u is kind u.
  uint32_t fixed_units() const { return fixed_units_; }

  bool plausible() const {
    return IsCount(fixes_) && compliant_ >= 0 && compliant_ <= fixes_ && IsCount(useless_) &&
           fixed_units_ < 1u << kUnits;
  }

 private:
  int32_t fixes_ = 0;
  int32_t compliant_ = 0;
  int32_t useless_ = 0;
  uint32_t fixed_units_ = 0;
};

}  // namespace dray::cage2
