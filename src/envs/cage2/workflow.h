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

// The order in which kinds of machines are to be repaired, first to last.
using Order = std::array<Unit, kUnits>;

// An Error when a kind is missing or named twice.
Order OrderOf(std::span<const Unit> units);
Order RandomOrder(Rng& rng);
// "user > enterprise > ...".
std::string TextOf(const Order& order);

// Values that show an order to a network: at 5 x position + kind is 1, elsewhere 0.
inline constexpr int kOrderValues = kUnits * kUnits;
void WriteOrder(const Order& order, std::span<float> values);

// What makes a fix (a Remove or Restore) comply with the order. Decoys and analyses are neutral.
enum class Definition : uint8_t {
  // Every earlier kind was fixed before in this episode, needed or not. Looks at actions alone.
  kFixedBefore,
  // The machine's kind is the first of the order that red has a session on, or there is none. As
  // red never loses its foothold, "user" always is such a kind.
  kFirstCompromised,
  // Of fixes that mend something, and only these are counted: no earlier kind is to be mended, that
  // is, has a machine other than the foothold that red has a session on.
  kFirstToMend,
};

// What red holds: known to the reward, and to no policy.
struct Intrusion {
  HostMask sessions = 0;   // hosts with a session of red's; the foothold always is one
  HostMask removable = 0;  // those where a Remove would end one
};

// Whether the action is a Remove or Restore.
bool IsFix(int blue_action, const Network& network);
// Whether a fix throws red out of a host: a Remove that ends a session, a Restore where there is
// one. Not on the foothold, which red never loses.
bool Mends(int blue_action, const Intrusion& intrusion, const Network& network);

// How far the fixes of an episode complied. Plain data.
class Compliance {
 public:
  enum class Verdict { kNotCounted, kCompliant, kViolation };

  // To be told of each fix before it is carried out.
  Verdict OnFix(int blue_action, const Intrusion& intrusion, const Order& order,
                Definition definition, const Network& network);

  // Compliant fixes of those counted; one half before the first.
  double rate() const { return fixes_ == 0 ? 0.5 : static_cast<double>(compliant_) / fixes_; }
  int fixes() const { return fixes_; }
  int violations() const { return fixes_ - compliant_; }
  // Fixes that mended nothing, counted above or not.
  int useless() const { return useless_; }
  // Bit u: a machine of kind u was fixed in this episode.
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
