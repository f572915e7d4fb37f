#include "src/envs/delivery/unused_settings.h"

#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/config/fields.h"

namespace dray::delivery {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

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
  throw UsageError(path, ": ", value, " has no effect ", where, ": ", unused.why, "; leave it ",
                   left, unused.instead.empty() ? "" : ", or ", unused.instead);
}

}  // namespace

void RefuseUnused(const Message& config, std::string_view task, std::span<const Unused> settings,
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
    Refuse(*group, *field, Cat("env.", task, ".", unused.path), where, unused);
  }
}

void RefuseUnusedOracleSettings(const Message& config, std::string_view task,
                                const OracleConfig& oracle) {
  const std::string settings = Cat("env.", task, ".oracle.");
  const bool without_weights =
      oracle.kind() == OracleConfig::INSERTION || oracle.kind() == OracleConfig::RUIN_RECREATE;
  if (without_weights) {
    const std::string neural = Cat("set ", settings, "kind to neural");
    const Unused unused[] = {{"oracle.weights", "it has none", neural},
                             {"oracle.starts", "it builds one plan", neural}};
    const bool insertion = oracle.kind() == OracleConfig::INSERTION;
    RefuseUnused(config, task, unused,
                 Cat("with the oracle ", insertion ? "insertion" : "ruin_recreate"));
  }
  if (oracle.placement() == OraclePlacement::INLINE) {
    const std::string actor = Cat("set ", settings, "placement to actor");
    std::vector<Unused> unused = {
        {"oracle.max_wait_us", "oracles do not wait for further shards", actor}};
    // Runs of the time when 1 was the default have stored it.
    if (oracle.actors() > 1) {
      unused.push_back({"oracle.actors", "oracles run inside the shards", actor});
    }
    RefuseUnused(config, task, unused, Cat("with ", settings, "placement inline"));
  }
}

}  // namespace dray::delivery
