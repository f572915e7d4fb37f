#include "src/cluster/roles/env_shard_role.h"

#include <utility>

#include "src/base/error.h"
#include "src/cluster/packed.h"
#include "src/cluster/roles/received.h"

namespace dray {
namespace {

std::vector<std::unique_ptr<EnvShard>> MakeShards(const RoleSettings& settings) {
  const int count = settings.shards();
  if (count < 1 || settings.envs() < count || settings.rollout_steps() < 1) {
    throw Failure("a shard's settings are damaged: ", settings.rollout_steps(), " steps of ",
                  settings.envs(), " environments in ", count, " shards");
  }
  std::vector<std::unique_ptr<EnvShard>> shards;
  ShardPlace place{settings.shard(), settings.first_env(), 0, settings.replacement()};
  for (int i = 0; i < count; ++i) {
    place.envs = settings.envs() / count + (i < settings.envs() % count ? 1 : 0);
    shards.push_back(
        std::make_unique<EnvShard>(settings.config(), place, settings.rollout_steps()));
    ++place.shard;
    place.first_env += place.envs;
  }
  return shards;
}

}  // namespace

EnvShardRole::EnvShardRole(const RoleSettings& settings)
    : DispatchedRole("env_shard"), shards_(MakeShards(settings)) {
  if (settings.shards_per_actor() > 1) {
    threads_ = std::make_unique<ShardThreads>(shards_, static_cast<int>(shards_.size()));
  }
  AddHeartbeat(shards_[0]->heartbeat(), [this](HeartbeatReply& beat) { AddTo(beat); });
  AddAlone("collect", 3, [this](Arguments arguments, ByteSink& reply) {
    const auto header = ReceivedHeader(arguments[0]);
    summaries_.Make(header.call(), [&] {
      if (packed()) {
        return CollectSideBySide({.weights = std::make_shared<const std::string>(arguments[1]),
                                  .side_model = std::make_shared<const std::string>(arguments[2]),
                                  .progress = header.progress()},
                                 reply);
      }
      return shards_[0]
          ->CollectInto(reply, arguments[1],
                        {.progress = header.progress(), .side_model = arguments[2]})
          .ToBytes();
    });
  });
  Add("summary", 1, [this](Arguments arguments, ByteSink& reply) {
    reply.Write(summaries_.Take(ReceivedHeader(arguments[0]).call()));
  });
  AddAlone("save", 0,
           [this](Arguments, ByteSink& reply) { reply.Write(FromShards(packed(), States())); });
  AddAlone("load", 1, [this](Arguments arguments, ByteSink& reply) {
    Load(OfShards(packed(), arguments[0], "the state of shards"));
    reply.Write("");
  });
}

std::vector<std::string> EnvShardRole::States() const {
  std::vector<std::string> states;
  for (const auto& shard : shards_) states.push_back(shard->Save());
  return states;
}

void EnvShardRole::Load(std::span<const std::string_view> states) {
  if (states.size() != shards_.size()) {
    throw Failure("the state is of ", states.size(), " shards, this actor has ", shards_.size());
  }
  const std::vector<std::string> before = States();
  size_t loaded = 0;
  try {
    for (; loaded < shards_.size(); ++loaded) shards_[loaded]->Load(states[loaded]);
  } catch (...) {
    while (loaded-- > 0) shards_[loaded]->Load(before[loaded]);
    throw;
  }
}

std::string EnvShardRole::CollectSideBySide(const ShardThreads::Inputs& inputs, ByteSink& reply) {
  for (size_t i = 0; i < shards_.size(); ++i) threads_->Start(static_cast<int>(i), inputs);
  std::vector<SharedBlob> blobs(shards_.size());
  std::vector<std::string> summaries(shards_.size());
  std::exception_ptr error;
  while (!threads_->idle()) {
    ShardThreads::Result result = threads_->Next();
    if (result.error) {
      error = result.error;
    } else {
      blobs[result.shard] = std::move(result.rollout.batch);
      summaries[result.shard] = result.rollout.summary.ToBytes();
    }
  }
  if (error) std::rethrow_exception(error);
  std::vector<std::string_view> batches;
  for (const SharedBlob& blob : blobs) batches.push_back(blob->view());
  PackInto(batches, reply);
  return Packed(summaries);
}

// An actor works as long as one of its shards does.
void EnvShardRole::AddTo(HeartbeatReply& beat) const {
  int64_t beats = 0;
  for (const auto& shard : shards_) {
    beats += shard->heartbeat().beats();
    if (const std::string phase = shard->heartbeat().phase(); phase != "resting") {
      beat.set_phase(phase);
    }
  }
  beat.set_beats(beats);
}

}  // namespace dray
