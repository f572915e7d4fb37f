#include "src/envs/dvrptw/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "src/base/error.h"
#include "src/config/config.pb.h"
#include "src/config/dump.h"
#include "src/config/fields.h"
#include "src/config/overrides.h"
#include "src/config/yaml_loader.h"
#include "src/envs/dvrptw_offer/dvrptw_offer.pb.h"
#include "tests/config/error_text.h"

namespace dray::dvrptw {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

DvrptwConfig Load(const std::string& keys) {
  Config config;
  LoadYamlText("env: {name: dvrptw, dvrptw: {" + keys + "}}", "x.yaml", &config);
  return config.env().GetExtension(DvrptwConfig::dvrptw);
}

std::string ErrorOf(const DvrptwConfig& config) {
  try {
    RefuseUnusedSettings(config);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kUsage);
    return error.what();
  }
  return "no error";
}

// Gives a setting some value that is not its default.
void SetOtherValue(Message& group, const FieldDescriptor& field) {
  const google::protobuf::Reflection& values = *group.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return values.SetBool(&group, &field, !field.default_value_bool());
    case FieldDescriptor::CPPTYPE_INT32:
      return values.SetInt32(&group, &field, field.default_value_int32() + 2);
    case FieldDescriptor::CPPTYPE_UINT64:
      return values.SetUInt64(&group, &field, field.default_value_uint64() + 1);
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return values.SetDouble(&group, &field, field.default_value_double() + 0.25);
    case FieldDescriptor::CPPTYPE_ENUM:
      return values.SetEnumValue(&group, &field, field.default_value_enum()->number() + 1);
    case FieldDescriptor::CPPTYPE_STRING:
      return values.SetString(&group, &field, "something");
    default:
      FAIL() << field.full_name();
  }
}

std::vector<std::string> PathsOf(const google::protobuf::Descriptor& message,
                                 const std::string& above = "") {
  std::vector<std::string> paths;
  for (const FieldDescriptor* field : FieldsOf(message)) {
    const std::string path = above + field->name();
    if (!IsGroup(*field)) {
      paths.push_back(path);
      continue;
    }
    for (const std::string& below : PathsOf(*field->message_type(), path + ".")) {
      paths.push_back(below);
    }
  }
  return paths;
}

DvrptwConfig WithOtherValue(DvrptwConfig config, const std::string& path) {
  Message* group = &config;
  const std::vector<std::string> names = SplitPath(path);
  for (size_t i = 0; i + 1 < names.size(); ++i) {
    const FieldDescriptor* field = FindField(*group->GetDescriptor(), names[i]);
    group = group->GetReflection()->MutableMessage(group, field);
  }
  SetOtherValue(*group, *FindField(*group->GetDescriptor(), names.back()));
  return config;
}

// Those that are refused, by path without env.dvrptw.
std::set<std::string> RefusedUnder(const DvrptwConfig& config) {
  std::set<std::string> refused;
  for (const std::string& path : PathsOf(*DvrptwConfig::descriptor())) {
    const std::string error = ErrorOf(WithOtherValue(config, path));
    if (error == "no error") continue;
    EXPECT_THAT(error, AllOf(StartsWith("env.dvrptw." + path + ": "), HasSubstr("has no effect"),
                             HasSubstr("; leave it ")));
    refused.insert(path);
  }
  return refused;
}

const std::set<std::string> kOfInlineOracles = {"oracle.max_wait_us", "oracle.actors"};

TEST(UnusedSettings, InAGeneratedCityThoseOfFilesAreRefused) {
  std::set<std::string> refused = kOfInlineOracles;
  refused.insert({"depot", "speed_kmh"});
  EXPECT_EQ(RefusedUnder(Load("oracle: {placement: inline}")), refused);
}

TEST(UnusedSettings, AUsersOwnRidersAreTheOnlyOnes) {
  const DvrptwConfig config =
      Load("travel: travel.csv, trips: trips.csv, depot: 2, oracle: {placement: inline}");
  std::set<std::string> refused = kOfInlineOracles;
  refused.insert({"num_places", "city_seed", "asymmetric", "type_split", "held_out_riders"});
  EXPECT_EQ(RefusedUnder(Load("places: places.csv, trips: trips.csv, oracle: {placement: inline}")),
            refused);
  refused.insert("speed_kmh");
  EXPECT_EQ(RefusedUnder(config), refused);
  EXPECT_THAT(
      ErrorOf(WithOtherValue(config, "held_out_riders")),
      AllOf(HasSubstr("with env.dvrptw.trips"),
            HasSubstr("; leave it at false, or name a file of other riders in env.dvrptw.trips")));
}

TEST(UnusedSettings, AnOracleIsAskedForWhatItHas) {
  for (const char* kind : {"insertion", "ruin_recreate"}) {
    EXPECT_THAT(ErrorOf(Load(Cat("oracle: {kind: ", kind, ", weights: my.bin}"))),
                HasSubstr("env.dvrptw.oracle.weights: my.bin has no effect with the oracle " +
                          std::string(kind)));
    EXPECT_THAT(ErrorOf(Load(Cat("oracle: {kind: ", kind, ", starts: 8}"))),
                HasSubstr("env.dvrptw.oracle.starts: 8 has no effect"));
  }
  for (const char* kind : {"auto", "neural"}) {
    EXPECT_EQ(ErrorOf(Load(Cat("oracle: {kind: ", kind, ", weights: my.bin, starts: 8}"))),
              "no error");
  }
  EXPECT_THAT(ErrorOf(Load("oracle: {placement: inline, actors: 2}")),
              HasSubstr("env.dvrptw.oracle.actors: 2 has no effect with "
                        "env.dvrptw.oracle.placement inline"));
  EXPECT_EQ(ErrorOf(Load("oracle: {placement: actor, actors: 2, max_wait_us: 50}")), "no error");
}

TEST(UnusedSettings, ADumpNamesAllSettingsAndIsNotRefused) {
  const std::string dump = DumpYaml(Load(""));
  DvrptwConfig loaded;
  LoadYamlText(dump, "config.yaml", &loaded);
  EXPECT_TRUE(loaded.has_noise());
  EXPECT_EQ(ErrorOf(loaded), "no error") << dump;
}

TEST(UnusedSettings, AnInstanceIsOfAnotherTask) {
  EXPECT_THAT(ErrorOf(Load("instance: C101.txt")),
              AllOf(StartsWith("env.dvrptw.instance: C101.txt has no effect in dvrptw"),
                    HasSubstr("set env.name to dvrptw_offer")));
}

// Settings as they were written when dvrptw_offer was a mode of dvrptw.
Config LoadWhole(const std::string& yaml) {
  Config config;
  LoadYamlText(yaml, "x.yaml", &config);
  return config;
}

TEST(FormerMode, OfferIsTheOtherTask) {
  const Config config = LoadWhole(
      "env: {name: dvrptw, dvrptw: {mode: offer, num_customers: 12, type_split: surveyed, "
      "instance: a.csv, oracle: {kind: ruin_recreate, rounds: 30}, lookahead: {futures: 7}}}");
  EXPECT_EQ(config.env().name(), "dvrptw_offer");
  EXPECT_FALSE(config.env().HasExtension(DvrptwConfig::dvrptw));
  const auto& offers = config.env().GetExtension(DvrptwOfferConfig::dvrptw_offer);
  EXPECT_EQ(offers.num_customers(), 12);
  EXPECT_EQ(offers.type_split(), delivery::SURVEYED);
  EXPECT_EQ(offers.instance(), "a.csv");
  EXPECT_EQ(offers.oracle().kind(), OracleConfig::RUIN_RECREATE);
  EXPECT_EQ(offers.oracle().rounds(), 30);
  EXPECT_EQ(offers.lookahead().futures(), 7);
  EXPECT_FALSE(offers.has_capacity());
}

TEST(FormerMode, NegotiateIsThisTask) {
  const Config config = LoadWhole("env: {name: dvrptw, dvrptw: {mode: negotiate, noise: 0.1}}");
  EXPECT_EQ(config.env().name(), "dvrptw");
  EXPECT_EQ(config.env().GetExtension(DvrptwConfig::dvrptw).noise(), 0.1);
  EXPECT_EQ(DumpYaml(config).find("mode:"), std::string::npos);
}

TEST(FormerMode, MayBeSetOnTheCommandLineInAnyOrder) {
  Config config;
  for (const char* setting : {"env.dvrptw.num_customers=9", "env.dvrptw.mode=offer",
                              "env.name=dvrptw", "env.dvrptw.capacity=50"}) {
    ApplyOverride(ParseSet(setting), &config);
  }
  EXPECT_EQ(config.env().name(), "dvrptw_offer");
  const auto& offers = config.env().GetExtension(DvrptwOfferConfig::dvrptw_offer);
  EXPECT_EQ(offers.num_customers(), 9);
  EXPECT_EQ(offers.capacity(), 50);
}

TEST(FormerMode, OfferHasOnlyDefaultsOfWhatItDoesNotUse) {
  EXPECT_EQ(LoadWhole("env: {name: dvrptw, dvrptw: {mode: offer, encoding: s2, reward: r1, "
                      "flexibility: {belief: learned}}}")
                .env()
                .name(),
            "dvrptw_offer");
  EXPECT_EQ(UsageErrorOf([] {
              LoadWhole("env: {name: dvrptw, dvrptw: {mode: offer, flexibility: {belief: bayes}}}");
            }),
            "x.yaml: env.dvrptw.flexibility.belief: bayes has no effect in dvrptw_offer; leave it "
            "out");
}

TEST(FormerCodes, MeanTheNamesThatReplacedThem) {
  const DvrptwConfig config = Load("encoding: s4, reward: r5");
  EXPECT_EQ(config.encoding(), DvrptwConfig::OUTLOOK);
  EXPECT_EQ(config.reward(), DvrptwConfig::AGAINST_CHEAPEST_DAY);
  EXPECT_THAT(DumpYaml(config),
              AllOf(HasSubstr("encoding: outlook\n"), HasSubstr("reward: against_cheapest_day\n")));
}

}  // namespace
}  // namespace dray::dvrptw
