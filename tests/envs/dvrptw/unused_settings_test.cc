#include "src/envs/delivery/unused_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "src/base/error.h"
#include "src/config/config.pb.h"
#include "src/config/dump.h"
#include "src/config/fields.h"
#include "src/config/yaml_loader.h"

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
      return values.SetInt32(&group, &field, field.default_value_int32() + 1);
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
    if (path == "mode") continue;
    const std::string error = ErrorOf(WithOtherValue(config, path));
    if (error == "no error") continue;
    EXPECT_THAT(error, AllOf(StartsWith("env.dvrptw." + path + ": "), HasSubstr("has no effect"),
                             HasSubstr("; leave it ")));
    refused.insert(path);
  }
  return refused;
}

const std::set<std::string> kOfInlineOracles = {"oracle.max_wait_us", "oracle.actors"};

TEST(UnusedSettings, InOfferAllAreRefusedButThoseThatItPlaysBy) {
  const std::set<std::string> used = {"mode",
                                      "num_customers",
                                      "type_split",
                                      "capacity",
                                      "free_vehicles",
                                      "hard_fleet",
                                      "extra_vehicle_cost",
                                      "instance",
                                      "oracle.device",
                                      "oracle.kind",
                                      "oracle.rounds",
                                      "oracle.seed",
                                      "oracle.max_batch",
                                      "oracle.starts",
                                      "oracle.weights",
                                      "oracle.placement",
                                      "lookahead.futures",
                                      "lookahead.decision_ms",
                                      "lookahead.rounds"};
  std::set<std::string> refused;
  for (const std::string& path : PathsOf(*DvrptwConfig::descriptor())) {
    if (!used.contains(path)) refused.insert(path);
  }
  EXPECT_EQ(RefusedUnder(Load("mode: offer")), refused);
}

TEST(UnusedSettings, AFileOfCustomersSaysHowManyVehiclesThereAre) {
  DvrptwConfig config = Load("mode: offer, instance: C101.txt");
  EXPECT_EQ(ErrorOf(config), "no error");
  EXPECT_EQ(ErrorOf(WithOtherValue(config, "speed_kmh")), "no error");
  config.set_free_vehicles(3);
  EXPECT_THAT(ErrorOf(config), HasSubstr("env.dvrptw.free_vehicles: 3 has no effect with "
                                         "env.dvrptw.instance: the file says how many"));
}

TEST(UnusedSettings, InNegotiateOnlyThoseOfOtherModesAndFilesAreRefused) {
  std::set<std::string> refused = kOfInlineOracles;
  refused.insert({"instance", "depot", "speed_kmh"});
  EXPECT_EQ(RefusedUnder(Load("")), refused);
}

TEST(UnusedSettings, AUsersOwnRidersAreTheOnlyOnes) {
  const DvrptwConfig config = Load("travel: travel.csv, trips: trips.csv, depot: 2");
  std::set<std::string> refused = kOfInlineOracles;
  refused.insert(
      {"instance", "num_places", "city_seed", "asymmetric", "type_split", "held_out_riders"});
  EXPECT_EQ(RefusedUnder(Load("places: places.csv, trips: trips.csv")), refused);
  refused.insert("speed_kmh");
  EXPECT_EQ(RefusedUnder(config), refused);
  EXPECT_THAT(
      ErrorOf(WithOtherValue(config, "held_out_riders")),
      AllOf(HasSubstr("with env.dvrptw.trips"),
            HasSubstr("; leave it at false, or name a file of others in env.dvrptw.trips")));
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
  EXPECT_THAT(ErrorOf(Load("oracle: {actors: 2}")),
              HasSubstr("env.dvrptw.oracle.actors: 2 has no effect with "
                        "env.dvrptw.oracle.placement inline"));
  EXPECT_EQ(ErrorOf(Load("oracle: {placement: actor, actors: 2, max_wait_us: 50}")), "no error");
}

TEST(UnusedSettings, ADumpNamesAllSettingsAndIsNotRefused) {
  for (const char* keys : {"mode: offer", "mode: negotiate"}) {
    const std::string dump = DumpYaml(Load(keys));
    DvrptwConfig loaded;
    LoadYamlText(dump, "config.yaml", &loaded);
    EXPECT_TRUE(loaded.has_noise());
    EXPECT_EQ(ErrorOf(loaded), "no error") << dump;
  }
}

TEST(UnusedSettings, WhyTheFlexibilityModelHasNoPartInOfferIsSaid) {
  EXPECT_THAT(ErrorOf(Load("mode: offer, flexibility: {belief: bayes}")),
              AllOf(StartsWith("env.dvrptw.flexibility.belief: bayes has no effect in the mode "
                               "offer: "),
                    HasSubstr("nobody is met twice"), HasSubstr("; leave it at learned")));
}

}  // namespace
}  // namespace dray::dvrptw
