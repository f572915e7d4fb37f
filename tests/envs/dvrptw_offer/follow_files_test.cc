#include "src/envs/dvrptw_offer/follow_files.h"

#include <gtest/gtest.h>

#include "src/envs/dvrptw_offer/offer_env.h"

namespace dray::dvrptw_offer {
namespace {

DvrptwOfferConfig Followed(DvrptwOfferConfig config) {
  FollowFiles(&config);
  return config;
}

DvrptwOfferConfig Offers(const std::string& instance) {
  DvrptwOfferConfig config;
  config.mutable_oracle()->set_rounds(2);
  config.set_capacity(200);
  config.set_instance(instance);
  return config;
}

TEST(FollowFiles, WithoutAFileNothingChanges) {
  EXPECT_FALSE(Followed(DvrptwOfferConfig()).has_num_customers());
}

TEST(FollowFiles, AnInstanceGivesTheUsualNumberOrAllItHas) {
  const DvrptwOfferConfig few = Followed(Offers("configs/examples/stops.csv"));
  EXPECT_EQ(few.num_customers(), 5);
  const EnvStreams streams{.seed = 5, .purpose = RngPurpose::kEnvironment, .first_index = 0};
  EXPECT_EQ(OfferEnv(few, streams, 1).spec().max_episode_steps, 5);
  EXPECT_EQ(Followed(Offers("tests/data/solomon/25/C101.txt")).num_customers(), 25);
  DvrptwOfferConfig fewer = Offers("tests/data/solomon/25/C101.txt");
  fewer.set_num_customers(10);
  EXPECT_EQ(Followed(fewer).num_customers(), 10);
}

}  // namespace
}  // namespace dray::dvrptw_offer
