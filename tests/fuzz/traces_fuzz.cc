// Recorded episodes of CAGE challenge 2, and playing them once more.

#include <string>

#include "src/envs/cage2/network.h"
#include "src/envs/cage2/replay.h"
#include "src/envs/cage2/scenario/scenario_files.h"
#include "src/envs/cage2/traces.h"
#include "tests/fuzz/edits.h"
#include "tests/fuzz/target.h"

namespace dray::fuzz {

size_t MostMemory(size_t bytes) { return Times(200, bytes) + (1 << 20); }

void Read(std::string_view bytes) {
  const bool leaderboard = TakeChoice(bytes, 2) == 1;
  const cage2::Network& network = cage2::ShippedNetwork();
  cage2::Rules rules{.network = &network};
  if (leaderboard) rules.release = cage2::Release::kLeaderboard;
  const cage2::TraceFile file = cage2::ParseTraces(bytes, "fuzz.csv", network);
  for (const cage2::Mismatch& mismatch : cage2::Replay(file, rules).first) cage2::TextOf(mismatch);
}

}  // namespace dray::fuzz
