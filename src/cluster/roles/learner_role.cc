#include "src/cluster/roles/learner_role.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <utility>
#include <vector>

#include "src/base/clock.h"
#include "src/base/counts.h"
#include "src/base/error.h"
#include "src/cluster/packed.h"
#include "src/cluster/roles/received.h"
#include "src/env/registry.h"
#include "src/loop/auto_settings.h"
#include "src/loop/start_from.h"
#include "src/nets/torch_export.h"

namespace dray {
namespace {

// Chooses the device on the actor's node. The reason goes to the actor's log.
at::Device DeviceHere(const Config& config) {
  const EnvSpec spec = SpecOf(config.env());
  const DeviceChoice choice = LearnerDevice(config, Trials(config, spec));
  if (!choice.why.empty()) std::cerr << "dray: " << choice.why << std::endl;
  return choice.device;
}

}  // namespace

LearnerRole::LearnerRole(const RoleSettings& settings)
    : DispatchedRole("learner"),
      packed_batches_(settings.shards_per_actor() > 1),
      learner_(settings.config(), SpecOf(settings.config().env()), DeviceHere(settings.config())) {
  StartFromCheckpoint(settings.config(), learner_);
  AddHeartbeat(learner_.heartbeat());
  AddAlone("update", kAnyNumber, [this](Arguments arguments, ByteSink& reply) {
    if (arguments.empty()) throw Failure("learner.update takes a header and batches");
    const auto header = ReceivedHeader(arguments[0]);
    summaries_.Make(header.call(), [&] {
      std::vector<std::string_view> batches;
      for (const std::string_view argument : arguments.subspan(1)) {
        std::ranges::copy(OfShards(packed_batches_, argument, "batches of shards"),
                          std::back_inserter(batches));
      }
      UpdateReport report = learner_.Update(batches, header.remaining());
      reply.Write(learner_.Publish());
      report.published_unix_s = UnixSeconds();
      return report.ToBytes();
    });
  });
  Add("summary", 1, [this](Arguments arguments, ByteSink& reply) {
    reply.Write(summaries_.Take(ReceivedHeader(arguments[0]).call()));
  });
  AddAlone("publish", 0, [this](Arguments, ByteSink& reply) { reply.Write(learner_.Publish()); });
  AddAlone("export", 0, [this](Arguments, ByteSink& reply) {
    reply.Write(TorchFile(learner_.nets(), learner_.scaling()));
  });
  AddAlone("save", 0, [this](Arguments, ByteSink& reply) { reply.Write(learner_.Save()); });
  AddAlone("snapshot", 1, [this](Arguments arguments, ByteSink& reply) {
    const auto version = ByteReader(arguments[0], "the version").Get<int64_t>();
    reply.Write(learner_.version() == version ? learner_.Save() : "");
  });
  AddAlone("load", 2, [this](Arguments arguments, ByteSink& reply) {
    // Without a state it is a learner at its beginning.
    if (!arguments[0].empty()) learner_.Load(arguments[0]);
    const auto least = ByteReader(arguments[1], "the least version").Get<int64_t>();
    if (!IsCount(least)) throw Failure("there is no policy of version ", least);
    learner_.RaiseVersion(least);
    reply.Write("");
  });
}

}  // namespace dray
