#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "src/base/error.h"
#include "src/envs/dvrptw/negotiate_env.h"
#include "tests/envs/delivery/game.h"

// The delivery task in a user's own city, with riders of a file.

namespace dray::dvrptw {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

constexpr EnvStreams kStreams{.seed = 5, .purpose = RngPurpose::kEnvironment, .first_index = 0};

std::string Written(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + "/" + name;
  std::ofstream(path) << text;
  return path;
}

DvrptwConfig ConfigOf(const std::string& travel, const std::string& trips) {
  DvrptwConfig config;
  config.set_num_customers(5);
  config.mutable_oracle()->set_rounds(3);
  config.set_travel(Written("travel.csv", travel));
  config.set_trips(Written("trips.csv", trips));
  return config;
}

constexpr char kTravel[] = "0,10,20\n10,0,15\n20,15,0\n";
std::string Trips(int riders) {
  std::string text =
      "rider,origin,destination,pickup_early_min,pickup_late_min,dropoff_early_min,"
      "dropoff_late_min,flexibility\n";
  for (int i = 0; i < riders; ++i) {
    text += Cat("r", i, ",", i % 2 == 0 ? "1,2" : "2,1", ",", 60 * i + 8, ",", 60 * i + 38, ",",
                60 * i + 23, ",", 60 * i + 53, ",", i % 4, "\n");
  }
  return text;
}

TEST(OwnCity, AUsersOwnCityIsPlayedInEveryEncoding) {
  for (const auto encoding : {DvrptwConfig::ROWS, DvrptwConfig::COUNTS, DvrptwConfig::TOKENS}) {
    DvrptwConfig config = ConfigOf(kTravel, Trips(5));
    config.set_encoding(encoding);
    delivery::Game<NegotiateEnv> game(config, 3, kStreams);
    for (int step = 0; step < 20; ++step) {
      game.player.Step();
      // Nobody is asked to be picked up before a vehicle can be there: that of the first rider,
      // who is 10 minutes away, closes at 0:38.
      for (size_t i = 0; i < 3; ++i) {
        const Day& day = game.env.day(static_cast<int>(i));
        const auto mask = std::span(game.player.masks).subspan(i * 16, 16);
        for (int action = 0; action < 16; ++action) {
          if (mask[static_cast<size_t>(action)] == 1) {
            EXPECT_TRUE(game.env.world().Servable(Shifted(day.asked(), action)));
          }
        }
        if (day.arrival().rider == 0) {
          EXPECT_EQ(mask[0], 0);
        }
      }
    }
  }
}

void ExpectUsageError(const DvrptwConfig& config, const std::string& part) {
  try {
    NegotiateEnv(config, kStreams, 1);
    ADD_FAILURE() << "no error: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kUsage);
    EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

TEST(OwnCity, WrongFilesAndSettingsAreNamed) {
  DvrptwConfig alone = ConfigOf(kTravel, Trips(5));
  alone.clear_trips();
  ExpectUsageError(alone, "env.dvrptw.travel: your own city also needs trips");
  DvrptwConfig nowhere = ConfigOf(kTravel, Trips(5));
  nowhere.clear_travel();
  ExpectUsageError(nowhere, "env.dvrptw.trips: trips need places");
  ExpectUsageError(ConfigOf(kTravel, Trips(6)), "env.dvrptw.num_customers: is 5, but ");
  DvrptwConfig depot = ConfigOf(kTravel, Trips(5));
  depot.set_depot(3);
  ExpectUsageError(depot, "env.dvrptw.depot: there is no place 3");
  DvrptwConfig new_riders = ConfigOf(kTravel, Trips(5));
  new_riders.set_held_out_riders(true);
  ExpectUsageError(new_riders, "env.dvrptw.held_out_riders: true has no effect");
  DvrptwConfig nobody = ConfigOf(kTravel, Trips(5));
  nobody.set_hard_fleet(true);
  nobody.set_free_vehicles(0);
  ExpectUsageError(nobody, "env.dvrptw.free_vehicles");
}

TEST(OwnCity, AMatrixThatBreaksTheTriangleInequalityIsClosedWithANote) {
  const NegotiateEnv env(ConfigOf("0,10,50\n10,0,15\n50,15,0\n", Trips(5)), kStreams, 1);
  ASSERT_EQ(env.spec().notes.size(), 1u);
  EXPECT_EQ(env.world().city.travel(0, 2), 250);
}

TEST(OwnCity, AMissingFlexibilityIsSaidToBeDrawn) {
  const std::string all = Trips(5);
  EXPECT_TRUE(NegotiateEnv(ConfigOf(kTravel, all), kStreams, 1).spec().notes.empty());
  std::string some = all;
  some.replace(some.rfind(",0\n"), 3, ",\n");  // that of the last
  const auto notes_of = [](const std::string& trips) {
    return NegotiateEnv(ConfigOf(kTravel, trips), kStreams, 1).spec().notes;
  };
  EXPECT_THAT(notes_of(some),
              ElementsAre(EndsWith("trips.csv: 1 of 5 riders has no flexibility; it is drawn "
                                   "uniformly from late_dropoff, early_pickup, none and both, with "
                                   "the seed env.dvrptw.rider_seed")));
  std::string none;
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);) none += line.substr(0, line.rfind(',')) + "\n";
  EXPECT_THAT(notes_of(none), ElementsAre(HasSubstr("trips.csv: no rider has a flexibility; it is "
                                                    "drawn uniformly from")));
}

TEST(OwnCity, ATripThatNoVehicleReachesNamesItsLine) {
  std::string trips = Trips(5);
  const size_t first = trips.find("r0,1,2,8,38,23,53");
  trips.replace(first, 17, "r0,1,2,0,5,15,45,");
  trips.erase(trips.find(",,", first), 1);
  ExpectUsageError(ConfigOf(kTravel, trips),
                   "trips.csv:2: rider 'r0': the trip cannot be served from the depot, place 0, "
                   "within the day; fix its times");
}

// All that environments of these files show over some days.
std::string Played(const DvrptwConfig& config) {
  delivery::Game<NegotiateEnv> game(config, 2, kStreams);
  std::string bytes;
  for (int step = 0; step < 20; ++step) {
    game.player.Step();
    for (size_t i = 0; i < 2; ++i) bytes += game.player.BytesOf(i);
  }
  return bytes;
}

TEST(OwnCity, TheSameDataWrittenOtherwiseGivesTheSameDaysBitForBit) {
  const std::string days = Played(ConfigOf("0,10.5,20\n10.5,0,15\n20,15,0\n", Trips(5)));
  std::string clock =
      "rider;origin;destination;pickup_early;pickup_late;dropoff_early;dropoff_late;"
      "flexibility\r\n";
  for (int i = 0; i < 5; ++i) {
    clock += Cat("\"r", i, "\";", i % 2 == 0 ? "1;2" : "2;1", ";0", i, ":08;0", i, ":38:00;",
                 60 * i + 23, ",0;", 60 * i + 53, ";", i % 4, "\r\n");
  }
  EXPECT_EQ(Played(ConfigOf("0;10,5;20\r\n10,5;0;15\r\n20;15;0\r\n", clock)), days);
  std::string tabs = clock;
  std::ranges::replace(tabs, ';', '\t');
  EXPECT_EQ(Played(ConfigOf("\xEF\xBB\xBF"
                            "0\t10,5\t20\n10.5\t0\t15\n20\t15\t0\n",
                            tabs)),
            days);
  EXPECT_NE(Played(ConfigOf("0,10.6,20\n10.6,0,15\n20,15,0\n", Trips(5))), days);
}

TEST(OwnCity, PlacesOnTheGlobeArePlayedAtASpeed) {
  DvrptwConfig config = ConfigOf(kTravel, Trips(5));
  config.clear_travel();
  config.set_places(
      Written("places.csv", "place,lat,lon\n0,52.52,13.405\n1,52.565,13.405\n2,52.52,13.48\n"));
  EXPECT_EQ(NegotiateEnv(config, kStreams, 1).world().city.travel(0, 1), 100);
  config.set_speed_kmh(60);
  const NegotiateEnv env(config, kStreams, 1);
  EXPECT_EQ(env.world().city.travel(0, 1), 50);
  for (const Point& point : env.world().city.points) {
    EXPECT_TRUE(point.x >= 0 && point.x <= 1 && point.y >= 0 && point.y <= 1);
  }
  EXPECT_NE(Played(config), "");
  // A matrix goes before the globe.
  config.clear_speed_kmh();
  config.set_travel(Written("travel.csv", kTravel));
  EXPECT_EQ(NegotiateEnv(config, kStreams, 1).world().city.travel(0, 2), 200);
  config.set_travel(Written("travel.csv", "0,10\n10,0\n"));
  ExpectUsageError(config, "places.csv: has 3 places, but ");
}

}  // namespace
}  // namespace dray::dvrptw
