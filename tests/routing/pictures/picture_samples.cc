// Writes pictures of all kinds of plans into the folder named by its argument, for pictures_test.py
// to read as XML, and for people to look at.

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/base/rng.h"
#include "src/oracle/ruin_recreate.h"
#include "src/routing/pictures/picture.h"
#include "src/routing/readers.h"
#include "tests/oracle/random_problems.h"
#include "tests/routing/street.h"

namespace dray {
namespace {

Plan Solved(const Problem& problem) {
  RuinRecreateOracle oracle({.rounds = 300});
  return oracle.SolveOne(problem).plan;
}

// Every second rider was moved: picked up 20 minutes earlier, dropped off 10 minutes later.
std::vector<AskedWindow> ShiftEverySecond(Problem* problem) {
  std::vector<AskedWindow> asked;
  for (const Stop& stop : problem->stops) asked.push_back({stop.opens, stop.closes});
  for (size_t i = 0; i < problem->requests.size(); i += 2) {
    Stop& pickup = problem->stops[problem->requests[i].pickup];
    Stop& dropoff = problem->stops[problem->requests[i].delivery];
    pickup.opens -= 200;
    pickup.closes -= 200;
    dropoff.opens += 100;
    dropoff.closes += 100;
  }
  return asked;
}

void Write(const std::string& folder) {
  Rng rng(/*seed=*/7, RngPurpose::kTest, /*index=*/0);
  // A city whose points nobody knows; riders moved.
  Problem city = RandomDeliveryProblem(30, rng);
  const std::vector<AskedWindow> asked = ShiftEverySecond(&city);
  WritePictures(folder, "city", city, Solved(city),
                {.title = "30 riders, a day in the city",
                 .caption = "Every second rider was moved: picked up 20 min earlier, dropped off "
                            "10 min later.",
                 .clock = true},
                asked);
  const Problem large = RandomDeliveryProblem(100, rng);
  WritePictures(folder, "large", large, Solved(large), {.clock = true});
  const Problem solomon = ReadProblem("tests/data/solomon/100/R101.txt");
  WritePictures(folder, "solomon", solomon, Solved(solomon), {});
  const Problem wide = ReadProblem("tests/data/solomon/50/C104.txt");
  WritePictures(folder, "wide", wide, Solved(wide), {});
  const Problem pairs = ReadProblem("tests/data/li_lim_100/lr101.txt");
  WritePictures(folder, "pairs", pairs, Solved(pairs), {});

  Problem street = PairStreet({10, 20, 30, 40, 50, 60}, 2, 2);
  street.name = "<a> & \"b\" 'c'\x01\xFF é";
  WritePictures(folder, "names", street, {{{0, 1}}}, {.caption = "<caption> & more"});
  WritePictures(folder, "empty", street, {}, {.clock = true});
  WritePictures(folder, "broken", street, {{{1, 0, 99}, {}, {2, 3, 2}}}, {});
  WritePictures(folder, "nothing", Street({}, 1, 1), {}, {});
  WritePictures(folder, "one_place", Street({0, 0, 0}, 3, 1), {{{0, 1, 2}}}, {});
}

}  // namespace
}  // namespace dray

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: picture_samples FOLDER\n";
    return 2;
  }
  try {
    dray::Write(arguments[1]);
  } catch (const dray::Error& error) {
    std::cerr << error.what() << "\n";
    return error.exit_code();
  }
}
