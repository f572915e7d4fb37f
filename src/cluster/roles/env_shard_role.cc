#include "src/cluster/roles/env_shard_role.h"

#include "src/cluster/roles/parse.h"

namespace dray {

EnvShardRole::EnvShardRole(const RoleSettings& settings)
    : DispatchedRole("env_shard"),
      shard_(settings.config(),
             {settings.shard(), settings.first_env(), settings.envs(), settings.replacement()},
             settings.rollout_steps()) {
  AddHeartbeat(shard_.heartbeat());
  Add("collect", 3, [this](Arguments arguments, ByteSink& reply) {
    const auto header = Parsed<CallHeader>(arguments[0]);
    summaries_.Make(header.call(), [&] {
      return shard_
          .CollectInto(reply, arguments[1],
                       {.progress = header.progress(), .side_model = arguments[2]})
          .ToBytes();
    });
  });
  Add("summary", 1, [this](Arguments arguments, ByteSink& reply) {
    reply.Write(summaries_.Take(Parsed<CallHeader>(arguments[0]).call()));
  });
  Add("save", 0, [this](Arguments, ByteSink& reply) { reply.Write(shard_.Save()); });
  Add("load", 1, [this](Arguments arguments, ByteSink& reply) {
    shard_.Load(arguments[0]);
    reply.Write("");
  });
}

}  // namespace dray
