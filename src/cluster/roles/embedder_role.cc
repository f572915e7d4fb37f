#include "src/cluster/roles/embedder_role.h"

#include "src/base/error.h"
#include "src/env/registry.h"

namespace dray {

EmbedderRole::EmbedderRole(const RoleSettings& settings)
    : DispatchedRole("embedder"), learner_(MakeSideLearner(settings.config())) {
  if (learner_ == nullptr) throw Failure("this task has no side learner to host");
  AddHeartbeat(heartbeat_);
  Add("add", 1, [this](Arguments arguments, ByteSink& reply) {
    learner_->Add(arguments[0]);
    reply.Write("");
  });
  Add("update", 0, [this](Arguments, ByteSink& reply) {
    heartbeat_.Beat("updating");
    std::string lines;
    for (const std::string& line : learner_->Update()) lines += line + "\n";
    heartbeat_.Beat("resting");
    reply.Write(lines);
  });
  Add("publish", 0, [this](Arguments, ByteSink& reply) { reply.Write(learner_->Publish()); });
  Add("save", 0, [this](Arguments, ByteSink& reply) { reply.Write(learner_->Save()); });
  Add("load", 1, [this](Arguments arguments, ByteSink& reply) {
    learner_->Load(arguments[0]);
    reply.Write("");
  });
}

}  // namespace dray
