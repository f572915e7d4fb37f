#include "src/envs/cage2/game.h"

#include "src/base/error.h"
#include "src/envs/cage2/bline.h"
#include "src/envs/cage2/blue.h"
#include "src/envs/cage2/meander.h"
#include "src/envs/cage2/monitor.h"
#include "src/envs/cage2/red.h"

namespace dray::cage2 {
namespace {

constexpr int kRestoreCost_tenths = 10;

void PlayGreen(Turn& turn) {
  const Network& network = turn.network;
  const Host host = turn.chance.PickGreenScan(network.user_hosts | network.enterprise_hosts);
  turn.record.green_scan = host;
  if (host != kNoHost) turn.green = PortScan(turn.state, host, network);
}

void MakeRedMove(Turn& turn) {
  switch (turn.state.red) {
    case RedAgent::kSleep:
    case RedAgent::kLearned:
      PlayRed(turn.handed, turn);
      return;
    case RedAgent::kBline:
      PlayRed(ChooseBline(turn.network, turn.state, turn.chance), turn);
      return;
    case RedAgent::kMeander: {
      const RedMove move = ChooseMeander(turn.network, turn.state, turn.chance, turn.record);
      if (PlayRed(move, turn)) LearnMeander(move, turn.network, turn.state);
      return;
    }
  }
}

}  // namespace

void Game::Reset(RedAgent red) {
  if (red == RedAgent::kBline && !network().no_bline.empty())
    throw UsageError("bline finds no way through this scenario: ", network().no_bline);
  state_ = StartOf(network(), red == RedAgent::kLearned ? RedAgent::kSleep : red);
}

StepRecord Game::Step(int blue_action, Chance& chance, RedMove handed) {
  DRAY_CHECK_LT(static_cast<unsigned>(blue_action),
                static_cast<unsigned>(network().blue_actions()));
  StepRecord record;
  Turn turn = {
      .rules = rules_, .network = network(), .state = state_, .chance = chance, .record = record};
  turn.handed = handed;
  PlayBlue(BlueActionOf(blue_action, network()), turn);
  if (rules_.green) PlayGreen(turn);
  MakeRedMove(turn);
  const int cost = record.effect == BlueEffect::kRestored ? kRestoreCost_tenths : 0;
  // The original rounds to one decimal twice; whole tenths need no rounding.
  record.reward_tenths = -damage_tenths() - cost;
  record.observation = Observe(turn);
  return record;
}

int Game::damage_tenths() const {
  return network().WeightTenths(state_.privileged) +
         (state_.server_up != 0 ? 0 : network().server_down_tenths);
}

void Game::Load(ByteReader& in) {
  const State state = in.Get<State>();
  if (!Plausible(state, network())) throw Failure("a saved state of the cage2 game is damaged");
  state_ = state;
}

}  // namespace dray::cage2
