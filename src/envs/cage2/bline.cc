#include "src/envs/cage2/bline.h"

#include <algorithm>
#include <array>

namespace dray::cage2 {
namespace {

constexpr int kLastStage = 14;
constexpr int kServerExploit = 12;
// Next stage after a failure in each stage. A host is scanned again only if the way back includes
// its scan, so decoys affect red no sooner.
constexpr std::array<uint8_t, kLastStage + 1> kAfterFailure = {0, 1, 2, 2, 2, 2,  5, 5,
                                                               5, 5, 9, 9, 9, 12, 13};

void MoveOn(BlineState& bline, bool succeeded) {
  bline.stage = succeeded ? static_cast<uint8_t>(std::min<int>(bline.stage + 1, kLastStage))
                          : kAfterFailure[bline.stage];
}

RedMove MoveOfStage(const BlineState& bline, const Network& network) {
  const BlineWay way = bline.user == kNoHost ? BlineWay{} : network.bline_ways[bline.user];
  switch (bline.stage) {
    case 0:
      return {RedAction::kDiscoverSystems, Index(network.facts[network.foothold].subnet)};
    case 1:
      return {RedAction::kDiscoverServices, bline.user};
    case 2:
      return {RedAction::kExploit, bline.user};
    case 3:
      return {RedAction::kEscalate, bline.user};
    case 4:
      return {RedAction::kDiscoverServices, way.enterprise};
    case 5:
      return {RedAction::kExploit, way.enterprise};
    case 6:
      return {RedAction::kEscalate, way.enterprise};
    case 7:
      return {RedAction::kDiscoverSystems, Index(network.facts[way.enterprise].subnet)};
    case 8:
      return {RedAction::kDiscoverServices, way.last};
    case 9:
      return {RedAction::kExploit, way.last};
    case 10:
      return {RedAction::kEscalate, way.last};
    case 11:
      return {RedAction::kDiscoverServices, network.server};
    case kServerExploit:
      return {RedAction::kExploit, network.server};
    case 13:
      return {RedAction::kEscalate, network.server};
    default:
      return {RedAction::kImpact, network.server};
  }
}

}  // namespace

RedMove ChooseBline(const Network& network, State& state, Chance& chance) {
  BlineState& bline = state.bline;
  const bool succeeded = state.red_succeeded != 0;
  MoveOn(bline, succeeded);
  if (bline.stage == kServerExploit && bline.sure_of_server == 0) {
    if (state.scan_saw_ports != 0) {
      bline.sure_of_server = 1;
    } else {
      // A quirk: if the server was scanned without a route, red starts over and moves on at once,
      // because the scan "succeeded".
      bline.stage = 0;
      MoveOn(bline, succeeded);
    }
  }
  // The way in is chosen once; all later stages follow from it.
  if (bline.stage > 0 && bline.user == kNoHost) bline.user = chance.PickHost(network.bline_users);
  return MoveOfStage(bline, network);
}

}  // namespace dray::cage2
