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

namespace dray {

// What all episodes of a config share: where riders go, who they are and who drives them.
struct DeliveryWorld {
  City city;
  std::vector<Rider> riders;
  Fleet fleet;
  Ticks service = 0;
  // As the user's files call them; empty where they have no names.
  std::vector<std::string> rider_names, place_names;
  std::vector<std::string> notes;  // what a user should know of the files it was made from

  // Without requests.
  Problem EmptyProblem() const;
  // Whether a vehicle that does nothing else can serve the trip.
  bool Servable(const Trip& trip) const;
};

// Generated, or from the user's files. An Error names the file or setting that is wrong.
std::shared_ptr<const DeliveryWorld> MakeWorld(const DvrptwConfig& config);

// Requests of a problem are trips in order: request i has the stops 2 i and 2 i + 1.
void AddRequest(const Trip& trip, Ticks service, Problem& problem);
void RemoveLastRequest(Problem& problem);
// Gives the last request the windows of this trip.
void MoveLastRequest(const Trip& trip, Problem& problem);
// What the trip's windows are once each action was agreed to.
std::array<RequestWindows, kShiftActions> WindowsByAction(const Trip& trip);

}  // namespace dray
