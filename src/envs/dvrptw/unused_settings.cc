#include "src/envs/dvrptw/unused_settings.h"

#include <span>
#include <string>
#include <string_view>

#include "src/base/error.h"
#include "src/config/fields.h"

namespace dray {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// A setting, or a group of them, why nothing comes of it, and what else to do than to leave it.
struct Unused {
  std::string_view path;
  std::string_view why;
  std::string_view instead = "";
};

constexpr std::string_view kByOtherSeeds =
    "days are drawn by train.seed and evaluation.seed, of generated customers or those of a file";
constexpr std::string_view kNoShifts = "there are no shifts of windows in it";
constexpr std::string_view kNobodyTwice =
    "nobody is met twice and types are drawn apart from all that can be seen, so that there is "
    "nothing to learn about a customer";

constexpr Unused kInOffer[] = {
    {"num_places", "every customer has a place of its own"},
    {"city_seed", kByOtherSeeds},
    {"rider_seed", kByOtherSeeds},
    {"held_out_riders",
     "types are drawn anew for every day, so that nobody is known from training"},
    {"asymmetric", "the square has the same way in both directions, and a file its own"},
    {"unserved_penalty", "who cannot be served is lost, at 1.5 times the mean way there and back"},
    {"legacy_failure", "a slot that nobody can serve is not offered"},
    {"service_time", "a generated customer takes 10, and a file says its own"},
    {"noise", "customers book by their types alone"},
    {"patience_weight", kNoShifts},
    {"encoding", "it has one of its own", "begin with --config dvrptw_offer"},
    {"reward", "it has one of its own", "begin with --config dvrptw_offer"},
    {"report_no_shift", kNoShifts},
    {"appraisal", kNoShifts},
    {"lookahead.policy_futures", "the policy plan, whose they are, is one of the mode negotiate"},
    {"belief_in_state", kNobodyTwice},
    {"flexibility", kNobodyTwice},
    {"travel", "it plays generated customers, or the file env.dvrptw.instance"},
    {"trips", "it plays generated customers, or the file env.dvrptw.instance"},
    {"places", "it plays generated customers, or the file env.dvrptw.instance"},
    {"depot", "it is in the middle of the square, or where the file says"},
};

constexpr Unused kOfGeneratedOffers[] = {
    {"speed_kmh", "a distance of 1 takes a time of 1 among generated customers"},
};

constexpr Unused kWithInstance[] = {
    {"free_vehicles", "the file says how many vehicles there are"},
};

constexpr Unused kInNegotiate[] = {
    {"instance", "it plays riders with pickups and dropoffs", "set env.dvrptw.mode to offer"},
};

constexpr Unused kWithTrips[] = {
    {"num_places", "the city is the file's"},
    {"city_seed", "the city is the file's"},
    {"asymmetric", "the city is the file's"},
    {"type_split", "types are the file's, or uniform where it tells none"},
    {"held_out_riders", "the file's riders are the only ones there are",
     "name a file of others in env.dvrptw.trips"},
};

constexpr Unused kWithTravel[] = {
    {"speed_kmh", "travel times are those of the file"},
};

constexpr Unused kInGeneratedCity[] = {
    {"speed_kmh", "its travel times are generated"},
    {"depot", "it is the place nearest to the middle"},
};

constexpr Unused kWithoutNeural[] = {
    {"oracle.weights", "it has none", "set env.dvrptw.oracle.kind to neural"},
    {"oracle.starts", "it builds one plan", "set env.dvrptw.oracle.kind to neural"},
};

constexpr Unused kInlineOracle[] = {
    {"oracle.max_wait_us", "nobody waits for others by the clock",
     "set env.dvrptw.oracle.placement to actor"},
    {"oracle.actors", "oracles are where the shards are",
     "set env.dvrptw.oracle.placement to actor"},
};

void Refuse(const Message& group, const FieldDescriptor& field, const std::string& path,
            std::string_view where, const Unused& unused) {
  if (IsGroup(field)) {
    const Message& below = group.GetReflection()->GetMessage(group, &field);
    for (const FieldDescriptor* inner : FieldsOf(*field.message_type())) {
      Refuse(below, *inner, Cat(path, ".", inner->name()), where, unused);
    }
    return;
  }
  const std::string value = ValueText(group, field), unset = DefaultText(field);
  if (value == unset) return;
  const std::string left = unset == QuotedText("") ? "empty" : Cat("at ", unset);
  throw UsageError("env.dvrptw.", path, ": ", value, " has no effect ", where, ": ", unused.why,
                   "; leave it ", left, unused.instead.empty() ? "" : ", or ", unused.instead);
}

void RefuseAll(const DvrptwConfig& config, std::span<const Unused> settings,
               std::string_view where) {
  for (const Unused& unused : settings) {
    const Message* group = &config;
    const std::vector<std::string> names = SplitPath(unused.path);
    for (size_t i = 0; i + 1 < names.size(); ++i) {
      const FieldDescriptor* field = FindField(*group->GetDescriptor(), names[i]);
      group = &group->GetReflection()->GetMessage(*group, field);
    }
    const FieldDescriptor* field = FindField(*group->GetDescriptor(), names.back());
    DRAY_CHECK(field != nullptr);
    Refuse(*group, *field, std::string(unused.path), where, unused);
  }
}

void RefuseByOracle(const DvrptwConfig& config) {
  const OracleConfig& oracle = config.oracle();
  if (oracle.kind() == OracleConfig::INSERTION) {
    RefuseAll(config, kWithoutNeural, "with the oracle insertion");
  }
  if (oracle.kind() == OracleConfig::RUIN_RECREATE) {
    RefuseAll(config, kWithoutNeural, "with the oracle ruin_recreate");
  }
  if (oracle.placement() == OracleConfig::INLINE) {
    RefuseAll(config, kInlineOracle, "with env.dvrptw.oracle.placement inline");
  }
}

}  // namespace

void RefuseUnusedSettings(const DvrptwConfig& config) {
  RefuseByOracle(config);
  if (config.mode() == DvrptwConfig::OFFER) {
    RefuseAll(config, kInOffer, "in the mode offer");
    if (config.instance().empty()) {
      RefuseAll(config, kOfGeneratedOffers, "without env.dvrptw.instance");
    } else {
      RefuseAll(config, kWithInstance, "with env.dvrptw.instance");
    }
    return;
  }
  RefuseAll(config, kInNegotiate, "in the mode negotiate");
  if (config.travel().empty() && config.places().empty() && config.trips().empty()) {
    RefuseAll(config, kInGeneratedCity, "in a generated city");
    return;
  }
  RefuseAll(config, kWithTrips, "with env.dvrptw.trips");
  if (!config.travel().empty()) RefuseAll(config, kWithTravel, "with env.dvrptw.travel");
}

}  // namespace dray
