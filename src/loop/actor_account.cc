#include "src/loop/actor_account.h"

#include "src/base/error.h"
#include "src/output/format.h"

namespace dray {
namespace {

std::string Padded(std::string text, size_t width, bool left) {
  while (text.size() < width) text.insert(left ? text.end() : text.begin(), ' ');
  return text;
}

}  // namespace

std::string ActorTable(std::span<const ActorAccount> actors) {
  std::string table =
      Cat("  ", Padded("actor", 14, true), Padded("busy", 16, false), Padded("waiting", 16, false),
          Padded("transfer", 16, false), Padded("memory", 11, false), "\n");
  for (const ActorAccount& actor : actors) {
    const double all_s = actor.busy_s + actor.waiting_s + actor.transfer_s;
    const auto share = [&](double seconds) {
      return Padded(
          Cat(FormatDuration(seconds), all_s > 0 ? Cat(" ", FormatPercent(seconds / all_s)) : ""),
          16, false);
    };
    table += Cat("  ", Padded(actor.name, 14, true), share(actor.busy_s), share(actor.waiting_s),
                 share(actor.transfer_s),
                 Padded(Cat(FormatFixed(actor.memory_mb, 0), " MB"), 11, false), "\n");
  }
  return table;
}

}  // namespace dray
