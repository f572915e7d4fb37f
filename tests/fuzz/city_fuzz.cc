// Files of a user's own city: travel times, places, trips; and a plan.

#include <string>

#include "src/base/json.h"
#include "src/routing/places.h"
#include "src/routing/plan.h"
#include "src/routing/readers.h"
#include "src/routing/travel_minutes.h"
#include "src/routing/trips.h"
#include "src/routing/writer.h"
#include "tests/fuzz/edits.h"
#include "tests/fuzz/target.h"
#include "tests/routing/file_texts.h"

namespace dray::fuzz {

// As of routing problems: places have travel times from each to each.
size_t MostMemory(size_t bytes) { return Times(1000, bytes) + 4 * bytes * bytes + (1 << 20); }

void Read(std::string_view bytes) {
  const size_t choice = TakeChoice(bytes, 5);
  const std::string text(bytes);
  if (choice == 0) {
    ParseTravelMinutes("fuzz.csv", text);
  } else if (choice == 1) {
    TravelAtSpeed(ParsePlaces("fuzz.csv", text), 30);
  } else if (choice == 2) {
    static const TravelTable city =
        ParseTravelMinutes("t", "0, 10, 15.25\n10, 0, 7.5\n15, 7.5, 0\n");
    ParseTrips("fuzz.csv", text, city.travel);
  } else if (choice == 3) {
    static const PlaceTable places =
        ParsePlaces("p", "place,lat,lon\na,52.52,13.405\nb,52.565,13.405\nc,52.52,13.48\n");
    static const TravelMatrix travel = TravelAtSpeed(places, 30);
    ParseTrips("fuzz.csv", text, travel, &places);
  } else {
    static const Problem problem = ParseProblem("a.txt", kSolomonText);
    PlanJson(problem, Simulate(problem, ParsePlan(problem, "fuzz.sol", text)));
  }
}

}  // namespace dray::fuzz
