#pragma once

#include <string>
#include <vector>

#include "src/base/rng.h"
#include "src/envs/waves/request.h"
#include "src/routing/problem.h"

namespace dray::waves {

// Length of an epoch in seconds, and the time from its beginning until its vehicles leave.
inline constexpr Ticks kEpoch_s = 3600;

// A static instance: the places, windows, loads and services that the requests of a day are drawn
// from, or requests of recorded days. All times are whole seconds of the day. Valid once it has
// been parsed.
struct Instance {
  std::string name;
  TravelMatrix travel;    // driving times; place 0 is the depot
  Ticks depot_opens = 0;  // not after the first vehicles leave
  Ticks depot_closes = 0;
  int capacity = 0;
  std::vector<Stop> customers = {};  // customer i is at place i + 1, unless days are recorded
  std::vector<Point> points = {};    // position of each place, for pictures; empty if unknown
  std::vector<std::string> place_names = {};  // empty: places are numbers
  int draws = 100;  // requests drawn per epoch, of which some cannot be served
  // Requests of each recorded day, by epoch from first_epoch on. If there are any, nothing is
  // drawn: a day's seed chooses one of them, and `draws` is the largest number in an epoch.
  std::vector<std::vector<std::vector<Request>>> recorded = {};
  int first_epoch = 0;
  int last_epoch = 0;

  int epochs() const { return last_epoch - first_epoch + 1; }
  // Returns the time at which the vehicles of an epoch leave.
  Ticks Departure(int epoch) const { return (epoch + 1) * kEpoch_s; }
  // Returns whether a vehicle that leaves at `departure` can serve the request and be back in time,
  // if it serves nothing else.
  bool CanServe(const Request& request, Ticks departure) const;
};

// Returns the epoch whose vehicles can be the first at a customer that opens at this time.
int EpochOf(Ticks opens);

// Sets the first and the last epoch by the windows.
void SetEpochs(Instance& instance);

// Parses an instance from the text of a VRPLIB or Solomon file; its numbers are rounded to whole
// seconds. Mistakes are one-line Errors that name the file, the line and the reason.
Instance ParseInstance(const std::string& path, std::string text);
Instance ReadInstance(const std::string& path);

// Samples the requests that arrive at the beginning of an epoch: one possible future. They have the
// same distribution as a day's requests, numbers of 0, and must_go is false. With recorded days,
// they are those of one of them, but not of `but_day` (-1: of any), which knows its own future.
std::vector<Request> SampleArrivals(const Instance& instance, int epoch, Rng& rng,
                                    int but_day = -1);

}  // namespace dray::waves
