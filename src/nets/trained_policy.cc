#include "src/nets/trained_policy.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "src/base/base64.h"
#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/config/user_path.h"
#include "src/config/yaml_loader.h"
#include "src/nets/checkpoint_file.h"
#include "src/nets/memory.h"
#include "src/nets/net_shape.h"

namespace dray {
namespace {

void ExpectTask(const Config& config, std::string_view env, const std::string& path) {
  if (env.empty() || config.env().name() == env) return;
  throw UsageError(path, " is a policy for ", config.env().name(), ", but one for ", env,
                   " is needed");
}

// Errors of `read` begin with the setting.
template <typename Read>
auto Named(const std::string& setting, const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    throw Error(error.kind(), Cat(setting, ": ", error.what()));
  }
}

bool Finite(const std::vector<float>& values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

}  // namespace

TrainedPolicy TrainedPolicy::Read(const std::string& path, std::string_view env,
                                  const std::string& setting) {
  return Named(setting, [&] {
    const FoundCheckpoint found = FindCheckpoint(UserPath(path));
    const SectionReader sections = found.file.Sections();
    Config whole;
    LoadYamlText(std::string(sections.Bytes("config")), found.file.path, &whole);
    ExpectTask(whole, env, found.file.path);
    TrainedPolicy policy;
    *policy.config.mutable_env() = whole.env();
    *policy.config.mutable_network() = whole.network();
    policy.weights = sections.Bytes("weights");
    return policy;
  });
}

std::string TrainedPolicy::ToText() const {
  ByteWriter out;
  out.PutString(config.SerializeAsString());
  out.PutString(weights);
  out.Put<uint32_t>(Crc32c(out.bytes()));
  return ToBase64(out.bytes());
}

TrainedPolicy TrainedPolicy::FromText(std::string_view text, std::string_view env,
                                      const std::string& setting) {
  return Named(setting, [&] {
    const std::string bytes = FromBase64(text, "the policy that the settings carry");
    ByteReader in(bytes, "the policy that the settings carry");
    TrainedPolicy policy;
    const bool read = policy.config.ParseFromString(in.GetString());
    policy.weights = in.GetString();
    const auto checksum = in.Get<uint32_t>();
    in.ExpectEnd();
    if (!read || Crc32c(std::string_view(bytes).substr(0, bytes.size() - 4)) != checksum) {
      throw Failure("the policy that the settings carry is damaged: its checksum does not match");
    }
    ExpectTask(policy.config, env, "the policy that the settings carry");
    return policy;
  });
}

Policy TrainedPolicy::Make(const EnvSpec& spec, const std::string& setting) const {
  return Named(setting, [&] {
    const PolicyWeights loaded = PolicyWeights::FromBytes(weights);
    // Before memory is taken for the network: a small file may ask for a huge one.
    const int64_t wanted =
        ParameterCount(WithMemory(spec, config.network()), config.network(), NetRole::kActor);
    if (std::ssize(loaded.actor) != wanted) {
      throw Failure("its weights belong to another network: ", loaded.actor.size(),
                    " parameters where its settings describe ", wanted, "; name another run");
    }
    Policy policy(spec, config.network());
    policy.Load(weights);
    if (!Finite(loaded.actor) || !Finite(loaded.scaling.mean) || !Finite(loaded.scaling.scale)) {
      throw Failure("its weights are not all finite: the training had diverged; name another run");
    }
    return policy;
  });
}

}  // namespace dray
