#include "src/envs/dvrptw/settings.h"

#include "src/envs/delivery/unused_settings.h"

namespace dray::dvrptw {
namespace {

using delivery::Unused;

constexpr std::string_view kTask = "dvrptw";

constexpr Unused kFormer[] = {
    {"instance", "riders have pickups and dropoffs", "set env.name to dvrptw_offer"},
};

constexpr Unused kWithTrips[] = {
    {"num_places", "the file has its own city"},
    {"city_seed", "the file has its own city"},
    {"asymmetric", "the file has its own city"},
    {"type_split", "types are those of the file, or uniform where it has none"},
    {"held_out_riders", "there are no riders but those of the file",
     "name a file of other riders in env.dvrptw.trips"},
};

constexpr Unused kWithTravel[] = {
    {"speed_kmh", "travel times are those of the file"},
};

constexpr Unused kInGeneratedCity[] = {
    {"speed_kmh", "its travel times are generated"},
    {"depot", "it is the place nearest to the middle"},
};

}  // namespace

void RefuseUnusedSettings(const DvrptwConfig& config) {
  delivery::RefuseUnusedOracleSettings(config, kTask, config.oracle());
  delivery::RefuseUnused(config, kTask, kFormer, "in dvrptw");
  if (config.travel().empty() && config.places().empty() && config.trips().empty()) {
    delivery::RefuseUnused(config, kTask, kInGeneratedCity, "in a generated city");
    return;
  }
  delivery::RefuseUnused(config, kTask, kWithTrips, "with env.dvrptw.trips");
  if (config.travel().empty()) return;
  delivery::RefuseUnused(config, kTask, kWithTravel, "with env.dvrptw.travel");
}

}  // namespace dray::dvrptw
