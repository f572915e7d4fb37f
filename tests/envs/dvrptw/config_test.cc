#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "src/base/error.h"
#include "src/config/config.pb.h"
#include "src/config/fields.h"
#include "src/config/yaml_loader.h"
#include "src/envs/dvrptw/dvrptw.pb.h"

namespace dray::dvrptw {
namespace {

using testing::HasSubstr;

DvrptwConfig Load(const std::string& keys) {
  Config config;
  LoadYamlText("env: {name: dvrptw, dvrptw: {" + keys + "}}", "x.yaml", &config);
  return config.env().GetExtension(DvrptwConfig::dvrptw);
}

void ExpectDocumented(const google::protobuf::Descriptor& message) {
  for (const google::protobuf::FieldDescriptor* field : FieldsOf(message)) {
    EXPECT_TRUE(RuleOf(*field).has_doc()) << field->full_name();
    if (IsGroup(*field)) ExpectDocumented(*field->message_type());
  }
}

TEST(DvrptwConfig, DefaultsAreThoseOfTheSpecification) {
  const DvrptwConfig config = Load("");
  EXPECT_EQ(config.num_customers(), 30);
  EXPECT_EQ(config.num_places(), 207);
  EXPECT_EQ(config.capacity(), 0);  // auto
  EXPECT_EQ(config.free_vehicles(), 5);
  EXPECT_EQ(config.extra_vehicle_cost(), 50);
  EXPECT_EQ(config.patience_weight(), 0.05);
  EXPECT_EQ(config.flexibility().buffer_size(), 64000);
  EXPECT_EQ(config.flexibility().training_epochs(), 50);
  EXPECT_EQ(config.oracle().rounds(), 10);
  EXPECT_EQ(config.oracle().max_batch(),
            4096);  // the specification has 128, from before a GPU took more
  EXPECT_EQ(config.oracle().placement(), OraclePlacement::AUTO);
  EXPECT_EQ(config.oracle().max_wait_us(), 200);
  EXPECT_EQ(config.oracle().actors(), 0);
}

TEST(DvrptwConfig, EverySettingIsReadableAndDocumented) {
  const DvrptwConfig config = Load(
      "encoding: tokens, type_split: surveyed, flexibility: {belief: bayes, epsilon_end: 0.05}, "
      "oracle: {kind: ruin_recreate, placement: actor, max_wait_us: 500, actors: 2}");
  EXPECT_EQ(config.encoding(), DvrptwConfig::TOKENS);
  EXPECT_EQ(config.type_split(), delivery::SURVEYED);
  EXPECT_EQ(config.flexibility().belief(), FlexibilityConfig::BAYES);
  EXPECT_EQ(config.oracle().kind(), OracleConfig::RUIN_RECREATE);
  EXPECT_EQ(config.oracle().placement(), OraclePlacement::ACTOR);
  EXPECT_EQ(config.oracle().max_wait_us(), 500);
  EXPECT_EQ(config.oracle().actors(), 2);
  ExpectDocumented(*DvrptwConfig::descriptor());
}

TEST(DvrptwConfig, BadValuesAreNamed) {
  const auto error = [](const std::string& keys) -> std::string {
    try {
      Load(keys);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(error("num_customers: 4"), HasSubstr("env.dvrptw.num_customers"));
  EXPECT_THAT(error("num_customers: 201"), HasSubstr("200"));
  EXPECT_THAT(error("capacity: 0"), HasSubstr("env.dvrptw.capacity"));
  EXPECT_THAT(error("oracle: {actors: -1}"), HasSubstr("env.dvrptw.oracle.actors"));
  EXPECT_THAT(error("oracle: {kind: magic}"), HasSubstr("ruin_recreate"));
}

}  // namespace
}  // namespace dray::dvrptw
