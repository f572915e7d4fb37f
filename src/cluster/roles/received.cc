#include "src/cluster/roles/received.h"

#include <algorithm>
#include <limits>

#include "src/base/error.h"
#include "src/cluster/roles/parse.h"
#include "src/config/validate.h"

namespace dray {
namespace {

constexpr int64_t kMostEnvs = 65536;  // of a run: the largest scale.num_envs
constexpr int64_t kMostSteps = 1000000;
constexpr size_t kLongestName = 200;

void Expect(const char* field, int64_t value, int64_t most) {
  if (value >= 0 && value <= most) return;
  throw Failure("a role's settings are damaged: ", field, " is ", value, ", outside of 0 ... ",
                most);
}

// It becomes part of a folder's name.
bool IsName(std::string_view name) {
  return name.size() <= kLongestName && std::ranges::none_of(name, [](char c) {
           return c == '/' || static_cast<unsigned char>(c) < 0x20;
         });
}

// Written so that NaN is none.
bool IsShare(double value) { return value >= 0 && value <= 1; }

}  // namespace

RoleSettings ReceivedSettings(std::string_view bytes) {
  auto settings = Parsed<RoleSettings>(bytes);
  ValidateEach(settings.config());
  Expect("shard", settings.shard(), kMostEnvs);
  Expect("first_env", settings.first_env(), kMostEnvs);
  Expect("envs", settings.envs(), kMostEnvs - settings.first_env());
  Expect("replacement", settings.replacement(), std::numeric_limits<int32_t>::max());
  Expect("rollout_steps", settings.rollout_steps(), kMostSteps);
  Expect("oracle_callers", settings.oracle_callers(), kMostEnvs);
  Expect("shards_per_actor", settings.shards_per_actor(), kMostEnvs);
  Expect("shards", settings.shards(), settings.shards_per_actor());
  if (!IsName(settings.name())) throw Failure("a role's settings are damaged: its name");
  return settings;
}

CallHeader ReceivedHeader(std::string_view bytes) {
  auto header = Parsed<CallHeader>(bytes);
  if (!IsShare(header.progress()) || !IsShare(header.remaining())) {
    throw Failure("a call's header is damaged: ", header.progress(), " of the run done, ",
                  header.remaining(), " remaining");
  }
  return header;
}

}  // namespace dray
