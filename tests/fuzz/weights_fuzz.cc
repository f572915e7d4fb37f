// Published weights, the weights of the neural oracle, and a policy that settings carry.

#include <string>
#include <vector>

#include "src/base/base64.h"
#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/nets/policy.h"
#include "src/nets/trained_policy.h"
#include "src/oracle/neural/sequence_weights.h"
#include "tests/fuzz/edits.h"
#include "tests/fuzz/target.h"

namespace dray::fuzz {
namespace {

EnvSpec Spec(bool bagged) {
  EnvSpec spec;
  spec.name = "made up";
  spec.observation_size = 3;
  spec.actions = ActionSpace::Discrete(4);
  if (bagged) spec.bag = {.width = 20, .own = 2, .joining = 1};
  return spec;
}

NetworkConfig Network() {
  NetworkConfig network;
  network.add_hidden(4);
  return network;
}

void Act(bool bagged, std::string_view edits) {
  const EnvSpec spec = Spec(bagged);
  Policy policy(spec, Network());
  PolicyWeights weights = policy.weights();
  weights.scaling = {.mean = {0, 0, 0}, .scale = {1, 1, 1}, .clip = 10};
  policy.Load(Edited(weights.ToBytes(), edits));
  const std::vector<float> observations = {1, 2, 3, 4, 5, 6};
  policy.Resume(std::vector<std::vector<int16_t>>{{7}, {}});
  policy.Outputs(observations,
                 bagged ? std::vector<int16_t>{1, 2, 3, 4, 5, -1} : std::vector<int16_t>());
}

void ReadOracle(std::string_view edits) {
  const SequenceNetShape shape{.dim = 4, .layers = 1, .heads = 2, .hidden = 4, .pair_hidden = 2};
  static const std::string valid = SequenceWeightsBytes(RandomSequenceWeights(shape, 1));
  std::string body = Edited(valid.substr(0, valid.size() - 4), edits);
  ByteWriter checksum;
  checksum.Put(Crc32c(body));
  ParseSequenceWeights(body + checksum.bytes(), "weights");
}

void ReadCarried(std::string_view edits) {
  TrainedPolicy policy;
  policy.config.mutable_env()->set_name("made up");
  *policy.config.mutable_network() = Network();
  policy.weights = Policy(Spec(false), Network()).weights().ToBytes();
  const std::string valid = FromBase64(policy.ToText(), "policy");
  std::string body = Edited(valid.substr(0, valid.size() - 4), edits);
  ByteWriter checksum;
  checksum.Put(Crc32c(body));
  const auto read = TrainedPolicy::FromText(ToBase64(body + checksum.bytes()), "", "a setting");
  if (read.config.network().hidden_size() != 1 || read.config.network().hidden(0) > 64) return;
  read.Make(Spec(false), "a setting");
}

}  // namespace

size_t MostMemory(size_t bytes) { return Times(64, bytes + 16000); }

void Read(std::string_view bytes) {
  switch (TakeChoice(bytes, 5)) {
    case 0:
      return Act(/*bagged=*/false, bytes);
    case 1:
      return Act(/*bagged=*/true, bytes);
    case 2:
      return ReadOracle(bytes);
    case 3:
      return ReadCarried(bytes);
    default:
      PolicyWeights::FromBytes(bytes);
  }
}

}  // namespace dray::fuzz
