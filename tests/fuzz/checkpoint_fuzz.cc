// A checkpoint whose checksum is right, whatever is in it.

#include <string>

#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/config/config.pb.h"
#include "src/config/dump.h"
#include "src/config/yaml_loader.h"
#include "src/env/env.h"
#include "src/loop/checkpoint.h"
#include "src/loop/coordinator.h"
#include "src/loop/env_accounts.h"
#include "src/loop/episode_window.h"
#include "src/nets/policy.h"
#include "tests/fuzz/edits.h"
#include "tests/fuzz/target.h"

namespace dray::fuzz {
namespace {

EnvSpec Spec() {
  EnvSpec spec;
  spec.name = "made up";
  spec.observation_size = 2;
  spec.actions = ActionSpace::Discrete(2);
  spec.episode_stats = {"cost"};
  spec.env_stats = {"cost"};
  return spec;
}

std::string Episodes() {
  const EnvSpec spec = Spec();
  EpisodeWindow window(spec.episode_stats);
  EnvAccounts accounts(spec, 2);
  for (int i = 0; i < 3; ++i) {
    const Episode episode{.env = i % 2, .length = 4, .total_reward = 1.5, .stats = {double(i)}};
    window.Add(episode);
    accounts.Add(episode.env, episode);
  }
  ByteWriter out;
  window.Save(out);
  accounts.Save(out);
  return out.Take();
}

Checkpoint Valid() {
  Checkpoint checkpoint;
  checkpoint.epoch = 3;
  checkpoint.elapsed_s = 1.5;
  checkpoint.config_yaml = "env: {name: cartpole}\nppo: {gamma: 0.9}\n";
  checkpoint.loop = Coordinator({}).Save();
  checkpoint.learner = std::string(40, 'l');
  PolicyWeights weights;
  weights.actor = {1, 2, 3};
  checkpoint.weights = weights.ToBytes();
  checkpoint.episodes = Episodes();
  checkpoint.shards = {"one", "two"};
  return checkpoint;
}

// Magic number, size, checksum.
constexpr size_t kHeader = 8 + 8 + 4;

std::string Sealed(const std::string& body) {
  ByteWriter out;
  out.Put<uint64_t>(body.size());
  out.Put<uint32_t>(Crc32c(body));
  return Valid().ToBytes().substr(0, 8) + out.bytes() + body;
}

// What a run takes from it.
void Resume(const Checkpoint& checkpoint) {
  const EnvSpec spec = Spec();
  Config config;
  LoadYamlText(checkpoint.config_yaml, "checkpoint", &config);
  PolicyWeights::FromBytes(checkpoint.weights);
  Coordinator loop({});
  loop.Load(checkpoint.loop);
  ByteReader in(checkpoint.episodes, "episodes");
  EpisodeWindow window(spec.episode_stats);
  window.Load(in);
  EnvAccounts accounts(spec, 2);
  accounts.Load(in);
  for (const Episode& episode : {Episode{.env = 1, .length = 1, .stats = {1}}}) {
    window.Add(episode);
    accounts.Add(episode.env, episode);
  }
  Report report;
  window.RecordInto(report);
  accounts.RecordInto(report);
}

}  // namespace

size_t MostMemory(size_t bytes) { return Times(2000, bytes) + (4 << 20); }

void Read(std::string_view bytes) {
  const bool raw = TakeChoice(bytes, 2) == 1;
  const std::string body =
      raw ? std::string(bytes) : Edited(Valid().ToBytes().substr(kHeader), bytes);
  const std::string whole = Sealed(body);
  const Checkpoint checkpoint = Checkpoint::FromBytes(whole, "fuzz.ckpt");
  const std::string again = checkpoint.ToBytes();
  DRAY_CHECK(Checkpoint::FromBytes(again, "again.ckpt").ToBytes() == again);
  if (checkpoint.config_yaml.find("include") != std::string::npos) return;
  Resume(checkpoint);
}

}  // namespace dray::fuzz
