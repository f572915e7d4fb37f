#include "src/cluster/roles/env_shard_role.h"

#include "src/base/error.h"
#include "src/cluster/roles/received.h"

namespace dray {
namespace {

ShardPlace PlaceOf(const RoleSettings& settings) {
  if (settings.envs() < 1 || settings.rollout_steps() < 1) {
    throw Failure("a shard's settings are damaged: ", settings.rollout_steps(), " steps of ",
                  settings.envs(), " environments");
  }
  return {settings.shard(), settings.first_env(), settings.envs(), settings.replacement()};
}

}  // namespace

EnvShardRole::EnvShardRole(const RoleSettings& settings)
    : DispatchedRole("env_shard"),
      shard_(settings.config(), PlaceOf(settings), settings.rollout_steps()) {
  AddHeartbeat(shard_.heartbeat());
  Add("collect", 3, [this](Arguments arguments, ByteSink& reply) {
    const auto header = ReceivedHeader(arguments[0]);
    summaries_.Make(header.call(), [&] {
      return shard_
          .CollectInto(reply, arguments[1],
                       {.progress = header.progress(), .side_model = arguments[2]})
          .ToBytes();
    });
  });
  Add("summary", 1, [this](Arguments arguments, ByteSink& reply) {
    reply.Write(summaries_.Take(ReceivedHeader(arguments[0]).call()));
  });
  Add("save", 0, [this](Arguments, ByteSink& reply) { reply.Write(shard_.Save()); });
  Add("load", 1, [this](Arguments arguments, ByteSink& reply) {
    shard_.Load(arguments[0]);
    reply.Write("");
  });
}

}  // namespace dray
