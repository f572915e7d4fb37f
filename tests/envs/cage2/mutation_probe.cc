// What mutation_test.py runs for each broken copy of the game: it replays recorded episodes, and
// checks what those cannot show. Prints the number of differences. A third argument names a broken
// copy of the scenario.

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

#include "src/base/error.h"
#include "src/envs/cage2/chance.h"
#include "src/envs/cage2/replay.h"
#include "src/envs/cage2/scenario/scenario_files.h"
#include "tests/envs/cage2/scenario2.h"

namespace dray::cage2 {
namespace {

// Made by hand from the rules.
constexpr char kHeader[] =
    "trace,red,green,step,blue_action,red_action,red_target,red_success,exploit,detected,"
    "esc_session,green_scan,reward,obs_hex\n";

// In step 5 a decoy and a scan of two ports meet.
constexpr char kThroughCardiffsWrapper[] =
    "1,bline,0,1,0,DRS,User,1,,,,,0.0,0000000000000\n"
    "1,bline,0,2,0,DNS,User3,1,,,,,0.0,0000000000080\n"
    "1,bline,0,3,0,EXP,User3,1,HarakaRCE,1,,,-0.1,00000000000d0\n"
    "1,bline,0,4,0,PE,User3,1,,,,,-0.1,0000000000010\n"
    "1,bline,0,5,107,DNS,Enterprise0,1,,,,,-0.1,0800000000010\n"
    "1,bline,0,6,0,EXP,Enterprise0,0,HTTPSRFI,,,,-0.1,0800000000010\n"
    "1,bline,0,7,0,EXP,User3,1,HarakaRCE,1,,,-0.1,00000000000d0\n";

// Rare in play: blue tries to remove a shell that the monitor missed; red finds a web server beside
// a decoy of it.
constexpr char kThroughTheStockWrapper[] =
    "1,bline,0,1,0,DRS,User,1,,,,,0.0,0000000000000\n"
    "1,bline,0,2,0,DNS,User2,1,,,,,0.0,0000000000800\n"
    "1,bline,0,3,0,EXP,User2,1,BlueKeep,0,,,0.0,0000000000800\n"
    "1,bline,0,4,25,PE,User2,1,,,0,,-0.1,0000000000000\n"
    "2,bline,0,1,0,DRS,User,1,,,,,0.0,0000000000000\n"
    "2,bline,0,2,130,DNS,User3,1,,,,,0.0,0000000000080\n"
    "2,bline,0,3,0,EXP,User3,1,HTTPRFI,1,,,0.0,00000000000d0\n";

constexpr int kDraws = 100'000;

bool Far(int count, double expected) { return std::abs(count / double{kDraws} - expected) > 0.01; }

// Chance proper takes no part in a replay.
int64_t WrongShares() {
  Rng rng(1, RngPurpose::kTest, 0);
  RngChance chance(rng);
  int highest = 0, detected = 0, asleep = 0, first = 0;
  for (int i = 0; i < kDraws; ++i) {
    highest += chance.PickExploit(0b1110) == Exploit::kHarakaRce;
    detected += chance.Detects();
    asleep += chance.PickGreenScan(kUserHosts | kEnterpriseHosts) == kNoHost;
    first += chance.PickHost(kUserHosts) == kUser0;
  }
  return Far(highest, 0.75) + Far(detected, 0.95) + Far(asleep, 0.5) + Far(first, 0.2);
}

int64_t Mismatches(const std::string& traces, const Rules& rules) {
  return Replay(ReadTraces(traces, *rules.network), rules).mismatches;
}

int64_t HandMadeMismatches(const char* rows, const Rules& rules) {
  return Replay(ParseTraces(std::string(kHeader) + rows, "made by hand", *rules.network), rules)
      .mismatches;
}

int64_t AllMismatches(const std::string& head, const std::string& leaderboard,
                      const Network& network) {
  const Rules stock{.network = &network};
  Rules old = stock, cardiff = stock;
  old.release = Release::kLeaderboard;
  cardiff.wrapper = Wrapper::kCardiff;
  return Mismatches(head, stock) + Mismatches(leaderboard, old) +
         HandMadeMismatches(kThroughCardiffsWrapper, cardiff) +
         HandMadeMismatches(kThroughTheStockWrapper, stock) + WrongShares();
}

}  // namespace
}  // namespace dray::cage2

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) return 2;
  try {
    const dray::cage2::Network& network = dray::cage2::NetworkOf(argc == 4 ? argv[3] : "");
    std::printf("%lld\n",
                static_cast<long long>(dray::cage2::AllMismatches(argv[1], argv[2], network)));
    return 0;
  } catch (const dray::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.exit_code();
  }
}
