#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "src/base/error.h"
#include "src/envs/dvrptw/negotiate_env.h"
#include "tests/envs/dvrptw/game.h"

// The delivery task in a user's own city, with riders of a file.

namespace dray {
namespace {

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
  for (const auto encoding : {DvrptwConfig::S1, DvrptwConfig::S2, DvrptwConfig::S3}) {
    DvrptwConfig config = ConfigOf(kTravel, Trips(5));
    config.set_encoding(encoding);
    Game<NegotiateEnv> game(config, 3, kStreams);
    for (int step = 0; step < 20; ++step) {
      game.player.Step();
      // Nobody is asked to be picked up before a vehicle can be there: that of the first rider,
      // who is 10 minutes away, closes at 0:38.
      for (size_t i = 0; i < 3; ++i) {
        const DeliveryDay& day = game.env.day(static_cast<int>(i));
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
  ExpectUsageError(alone, "env.dvrptw.trips: travel and trips go together");
  ExpectUsageError(ConfigOf(kTravel, Trips(6)), "has 6 riders where env.dvrptw.num_customers is 5");
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

}  // namespace
}  // namespace dray
