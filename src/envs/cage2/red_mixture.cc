#include "src/envs/cage2/red_mixture.h"

#include "src/base/error.h"
#include "src/envs/cage2/mixture.h"

namespace dray::cage2 {
namespace {

constexpr char kSetting[] = "env.cage2.red";

RedAgent AgentOf(const std::string& name) {
  try {
    return RedAgentNamed(name);
  } catch (const Error& error) {
    throw Error(error.kind(), Cat(kSetting, ": ", error.what()));
  }
}

}  // namespace

RedMixture::RedMixture(const std::string& text) {
  const Mixture mixture = Mixture::Parse(text, kSetting);
  for (size_t i = 0; i < mixture.names.size(); ++i) {
    shares_[Index(AgentOf(mixture.names[i]))] += mixture.shares[i];
  }
}

RedAgent RedMixture::Draw(Rng& rng) const { return Enumerator<RedAgent>(DrawShare(shares_, rng)); }

}  // namespace dray::cage2
