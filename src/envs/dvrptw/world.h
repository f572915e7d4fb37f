#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "src/envs/dvrptw/actions.h"
#include "src/envs/dvrptw/city.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/riders.h"
#include "src/oracle/insertion.h"
#include "src/routing/problem.h"

namespace dray::dvrptw {

// City, riders and fleet, which all episodes of a config share.
struct World {
  City city;
  std::vector<Rider> riders;
  Fleet fleet;
  Ticks service = 0;
  // Names in the user's files; empty if they have none.
  std::vector<std::string> rider_names, place_names;
  std::vector<std::string> notes;  // notes for the user about the files

  // Returns a problem without requests.
  Problem EmptyProblem() const;
  // Returns whether a vehicle with no other requests can serve the trip.
  bool Servable(const Trip& trip) const;
};

// Makes the world, generated or from the user's files. Throws an Error that names the file or
// setting that is wrong.
std::shared_ptr<const World> MakeWorld(const DvrptwConfig& config);

// Adds and removes requests of a problem, where request i has the stops 2 i and 2 i + 1.
void AddRequest(const Trip& trip, Ticks service, Problem& problem);
void RemoveLastRequest(Problem& problem);
// Gives the last request the windows of this trip.
void MoveLastRequest(const Trip& trip, Problem& problem);
// Returns the trip's windows after each action.
std::array<RequestWindows, kShiftActions> WindowsByAction(const Trip& trip);

}  // namespace dray::dvrptw
