#include "src/config/validate.h"

#include <cmath>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/config/fields.h"

namespace dray {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

void ValidateScale(const ScaleConfig& scale) {
  const int64_t workers = scale.num_workers();
  const int64_t per_worker = scale.num_envs_per_worker();
  if (per_worker > 0 && workers == 0) {
    throw UsageError("scale.num_envs_per_worker: ", per_worker,
                     " needs scale.num_workers; give both, or scale.num_envs alone");
  }
  const double most = RuleOf(*FindPath(*ScaleConfig::descriptor(), "num_envs")).max();
  if (workers * per_worker > most) {
    throw UsageError("scale.num_workers: ", workers, " workers of ", per_worker,
                     " environments are more than the ", NumberText(most),
                     " that scale.num_envs allows; lower one of the two");
  }
  if (per_worker == 0 && scale.num_envs() > 0 && workers > scale.num_envs()) {
    throw UsageError("scale.num_workers: ", workers, " workers cannot share ", scale.num_envs(),
                     " environments; raise scale.num_envs or lower scale.num_workers");
  }
}

void ValidateTrain(const TrainConfig& train) {
  if (train.epochs() == 0 && train.total_steps() == 0 && train.episodes() == 0 &&
      train.duration_s() == 0) {
    throw UsageError(
        "train: nothing stops the run; set train.episodes, train.epochs, train.total_steps or "
        "train.duration_s");
  }
}

void ValidatePpo(const PpoConfig& ppo) {
  if (ppo.max_policy_lag() > 0 && ppo.update_interval() > 1) {
    throw UsageError("ppo.update_interval: ", ppo.update_interval(),
                     " cannot be combined with ppo.max_policy_lag ", ppo.max_policy_lag(),
                     "; reset one of them (update_interval 1, or max_policy_lag 0)");
  }
}

void ValidateNetwork(const NetworkConfig& network, const NormalizeConfig& normalize) {
  constexpr int kMostLayers = 64;
  if (network.hidden_size() > kMostLayers) {
    throw UsageError("network.hidden: has ", network.hidden_size(), " layers; at most ",
                     kMostLayers, " are allowed");
  }
  if (network.kind() == GRU && normalize.clip() < 1) {
    throw UsageError(
        "normalize.clip: must be at least 1 with network.kind gru, whose memory is part "
        "of the observations");
  }
  if (network.kind() != ATTENTION) return;
  if (network.attention_width() % network.attention_heads() != 0) {
    throw UsageError("network.attention_heads: ", network.attention_heads(),
                     " heads cannot share network.attention_width ", network.attention_width(),
                     " evenly; choose a width that is a multiple of the number of heads");
  }
  if (normalize.observations()) {
    throw UsageError(
        "normalize.observations: cannot be combined with network.kind attention, whose absent "
        "tokens "
        "are 0; reset one of them");
  }
}

void CheckRange(double value, const FieldDescriptor& field, const std::string& path) {
  const Rule& rule = RuleOf(field);
  const bool low =
      rule.has_min() && (value < rule.min() || (rule.above_min() && value == rule.min()));
  const bool allowed_auto = rule.allows_auto() && value == 0;
  if (!std::isfinite(value) || ((low || (rule.has_max() && value > rule.max())) && !allowed_auto)) {
    throw UsageError(path, ": ", NumberText(value), " is out of range; it must be ",
                     RangeText(field).empty() ? "finite" : RangeText(field));
  }
}

// Returns the numbers of a field; none if it is not numeric.
std::vector<double> NumbersOf(const Message& message, const FieldDescriptor& field) {
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  const int size = field.is_repeated() ? reflection.FieldSize(message, &field) : 1;
  std::vector<double> numbers;
  for (int i = 0; i < size; ++i) {
    switch (field.cpp_type()) {
#define DRAY_NUMBER(TYPE, Type)                                                                  \
  case FieldDescriptor::CPPTYPE_##TYPE:                                                          \
    numbers.push_back(static_cast<double>(field.is_repeated()                                    \
                                              ? reflection.GetRepeated##Type(message, &field, i) \
                                              : reflection.Get##Type(message, &field)));         \
    break;
      DRAY_NUMBER(INT32, Int32)
      DRAY_NUMBER(UINT32, UInt32)
      DRAY_NUMBER(INT64, Int64)
      DRAY_NUMBER(UINT64, UInt64)
      DRAY_NUMBER(DOUBLE, Double)
      DRAY_NUMBER(FLOAT, Float)
#undef DRAY_NUMBER
      default:
        break;
    }
  }
  return numbers;
}

void ValidateFields(const Message& message, const std::string& above) {
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    const std::string path = above + field->name();
    if (IsGroup(*field)) {
      ValidateFields(message.GetReflection()->GetMessage(message, field), path + ".");
      continue;
    }
    for (const double number : NumbersOf(message, *field)) CheckRange(number, *field, path);
  }
}

}  // namespace

void ValidateEach(const Config& config) { ValidateFields(config, ""); }

void Validate(const Config& config) {
  if (config.env().name().empty()) {
    throw UsageError("env.name: is empty; name the environment to train on");
  }
  ValidateScale(config.scale());
  ValidateTrain(config.train());
  ValidatePpo(config.ppo());
  ValidateNetwork(config.network(), config.normalize());
}

}  // namespace dray
