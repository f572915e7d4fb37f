#include "tests/envs/batch_player.h"

#include "src/env/registry.h"
#include "src/envs/cage2/cage2.pb.h"
#include "src/envs/cage2/cage2_red.pb.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw_offer/dvrptw_offer.pb.h"
#include "src/envs/waves/waves.pb.h"

namespace dray {

EnvConfig ConfigForTests(const std::string& name) {
  EnvConfig config;
  config.set_name(name);
  if (name == "dvrptw") {
    DvrptwConfig* deliveries = config.MutableExtension(DvrptwConfig::dvrptw);
    deliveries->set_num_customers(8);
    deliveries->set_num_places(40);
    deliveries->set_encoding(DvrptwConfig::ROWS);
  }
  if (name == "dvrptw_offer") {
    config.MutableExtension(DvrptwOfferConfig::dvrptw_offer)->set_num_customers(8);
  }
  if (name == "cage2") {
    Cage2Config* game = config.MutableExtension(Cage2Config::cage2);
    game->set_red("0.5 bline, 0.5 meander");
    game->set_mask_useless(true);
    game->set_observe_history(true);
    game->mutable_workflow()->set_enabled(true);  // an order of its own for every episode
  }
  if (name == "cage2_red") {
    config.MutableExtension(Cage2RedConfig::cage2_red)->set_blue("react_remove_restore");
  }
  if (name == "waves") {
    WavesConfig* waves = config.MutableExtension(WavesConfig::waves);
    waves->set_customers(20);
    waves->set_draws(5);
    waves->set_rounds(20);
  }
  return config;
}

BatchPlayer MakePlayer(const std::string& name, uint64_t seed, uint64_t first_index, int count) {
  const EnvStreams streams{.seed = seed, .first_index = first_index};
  return BatchPlayer(MakeBatchEnv(ConfigForTests(name), streams, count), streams);
}

}  // namespace dray
