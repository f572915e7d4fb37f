#include "src/cluster/roles/learner_role.h"

#include <vector>

#include "src/base/clock.h"
#include "src/cluster/roles/parse.h"
#include "src/envs/registry.h"
#include "src/learn/learner_device.h"
#include "src/loop/start_from.h"
#include "src/nets/torch_export.h"

namespace dray {

LearnerRole::LearnerRole(const RoleSettings& settings)
    : DispatchedRole("learner"),
      learner_(settings.config(), SpecOf(settings.config().env()),
               LearnerDevice(settings.config(), SpecOf(settings.config().env())).device) {
  StartFromCheckpoint(settings.config(), learner_);
  AddHeartbeat(learner_.heartbeat());
  Add("update", kAnyNumber, [this](Arguments arguments, ByteSink& reply) {
    const auto header = Parsed<CallHeader>(arguments[0]);
    summaries_.Make(header.call(), [&] {
      const std::vector<std::string_view> batches(arguments.begin() + 1, arguments.end());
      UpdateReport report = learner_.Update(batches, header.remaining());
      reply.Write(learner_.Publish());
      report.published_unix_s = UnixSeconds();
      ByteWriter summary;
      summary.Put(report);
      return summary.Take();
    });
  });
  Add("summary", 1, [this](Arguments arguments, ByteSink& reply) {
    reply.Write(summaries_.Take(Parsed<CallHeader>(arguments[0]).call()));
  });
  Add("publish", 0, [this](Arguments, ByteSink& reply) { reply.Write(learner_.Publish()); });
  Add("export", 0, [this](Arguments, ByteSink& reply) {
    reply.Write(TorchFile(learner_.nets(), learner_.scaling()));
  });
  Add("save", 0, [this](Arguments, ByteSink& reply) { reply.Write(learner_.Save()); });
  Add("load", 2, [this](Arguments arguments, ByteSink& reply) {
    // Without a state it is a learner at its beginning.
    if (!arguments[0].empty()) learner_.Load(arguments[0]);
    learner_.RaiseVersion(ByteReader(arguments[1], "the least version").Get<int64_t>());
    reply.Write("");
  });
}

}  // namespace dray
