#include "src/envs/dvrptw/follow_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/file.h"
#include "src/envs/dvrptw/negotiate_env.h"
#include "tests/config/error_text.h"

namespace dray::dvrptw {
namespace {

using testing::HasSubstr;

constexpr EnvStreams kStreams{.seed = 5, .purpose = RngPurpose::kEnvironment, .first_index = 0};
constexpr char kExamples[] = "configs/examples/";

DvrptwConfig Followed(DvrptwConfig config) {
  FollowFiles(&config);
  return config;
}

DvrptwConfig ConfigOf(const std::string& places, const std::string& travel,
                      const std::string& trips) {
  DvrptwConfig config;
  config.mutable_oracle()->set_rounds(2);
  if (!places.empty()) config.set_places(kExamples + places);
  if (!travel.empty()) config.set_travel(kExamples + travel);
  config.set_trips(kExamples + trips);
  return config;
}

TEST(FollowFiles, TheExamplesArePlayedWithTheRidersThatTheyHave) {
  for (const DvrptwConfig& config : {ConfigOf("places.csv", "", "trips.csv"),
                                     ConfigOf("places.csv", "travel_min.csv", "trips.csv"),
                                     ConfigOf("", "travel_min.csv", "trips_numbered.csv")}) {
    const DvrptwConfig followed = Followed(config);
    EXPECT_EQ(followed.num_customers(), 5);
    const NegotiateEnv env(followed, kStreams, 1);
    EXPECT_EQ(env.spec().max_episode_steps, 5);
    ASSERT_EQ(env.spec().notes.size(), 1u);
    EXPECT_THAT(env.spec().notes[0], HasSubstr("it is drawn"));
  }
}

TEST(FollowFiles, ANumberThatWasSetStays) {
  DvrptwConfig config = ConfigOf("places.csv", "", "trips.csv");
  config.set_num_customers(6);
  EXPECT_EQ(Followed(config).num_customers(), 6);
  EXPECT_EQ(UsageErrorOf([&] { NegotiateEnv(config, kStreams, 1); }),
            "env.dvrptw.num_customers: is 6, but configs/examples/trips.csv has 5 riders; leave it "
            "out, or set it to 5");
}

TEST(FollowFiles, WithoutFilesNothingChanges) {
  EXPECT_FALSE(Followed(DvrptwConfig()).has_num_customers());
}

TEST(FollowFiles, AFileWithTooFewRidersIsRefused) {
  const std::string path = testing::TempDir() + "/few.csv";
  DvrptwConfig config = ConfigOf("", "travel_min.csv", "");
  config.set_trips(path);
  WriteFileAtomically(path,
                      "rider,origin,destination,pickup_early,pickup_late,dropoff_early,"
                      "dropoff_late\nann,1,2,540,570,560,600\nann,2,1,640,670,660,700\n");
  EXPECT_EQ(UsageErrorOf([&] { FollowFiles(&config); }),
            path + ": has 1 riders; a day has from 5 to 200, so add some");
}

}  // namespace
}  // namespace dray::dvrptw
