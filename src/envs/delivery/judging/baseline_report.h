#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "src/env/task.h"
#include "src/envs/delivery/judging/comparison.h"
#include "src/routing/pictures/picture.h"
#include "src/routing/plan.h"
#include "src/routing/problem.h"

// Parts of evaluate --baselines that are the same for every delivery task.

namespace dray::delivery {

// Returns the options of a comparison; `all` are the policies that the name "all" stands for.
ComparisonOptions OptionsOf(const BaselineRequest& request, const std::vector<std::string>& all);

// A comparison in the forms in which it is reported.
struct ComparisonReport {
  std::string text, markdown, json;
};

// Prints a comparison, and writes it to the folder that the request names.
void Tell(const BaselineRequest& request, const ComparisonReport& report);

// A judged day to draw.
struct DrawnDay {
  std::string policy;
  Problem problem;
  Plan plan;
  std::vector<AskedWindow> asked;  // one per stop
  bool clock = false;              // true if times are times of day
};

// Renumbers a day's vehicles: each gets the number, and so the colour, of the vehicle of `model`
// with which it shares most places.
void NumberVehiclesLike(const DrawnDay& model, DrawnDay* day);

// Draws an episode as several policies played it: one clock, and vehicles numbered alike.
void Draw(const BaselineRequest& request, int episode, std::vector<DrawnDay> days);

// Chooses the episodes to draw. The best ones are those on which the learned policy, or else the
// last one, gains most on the first.
template <typename Score>
std::vector<int> EpisodesToDraw(const BaselineRequest& request, const std::vector<Score>& scores) {
  const auto learned = std::ranges::find(scores, "learned", &Score::policy);
  const Score& judged = learned == scores.end() ? scores.back() : *learned;
  std::vector<double> gains;
  for (size_t i = 0; i < judged.days.size(); ++i) {
    gains.push_back(scores.front().days[i].objective - judged.days[i].objective);
  }
  return request.drawn.Choose(gains);
}

// Joins names with commas.
std::string Listed(const std::vector<std::string>& names);

}  // namespace dray::delivery
