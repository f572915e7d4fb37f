// Every RAY_REMOTE of the library. The macro names a variable after the line that it stands on: two
// on the same line of two files would silently drop one.

#include "ray_actors/embedder_actor.h"
#include "ray_actors/env_shard_actor.h"
#include "ray_actors/evaluator_actor.h"
#include "ray_actors/learner_actor.h"
#include "ray_actors/oracle_actor.h"
#include "ray_actors/trial_actor.h"

using namespace dray_ray;  // Ray registers the names as they are written here

RAY_REMOTE(EnvShardActor::Create, &EnvShardActor::Collect, &EnvShardActor::Summary,
           &EnvShardActor::Heartbeat, &EnvShardActor::Save, &EnvShardActor::Load)
RAY_REMOTE(LearnerActor::Create, &LearnerActor::Update, &LearnerActor::Summary,
           &LearnerActor::Heartbeat, &LearnerActor::Publish, &LearnerActor::Export,
           &LearnerActor::Save, &LearnerActor::Load)
RAY_REMOTE(EvaluatorActor::Create, &EvaluatorActor::Evaluate, &EvaluatorActor::Heartbeat)
RAY_REMOTE(EmbedderActor::Create, &EmbedderActor::Add, &EmbedderActor::Update,
           &EmbedderActor::Publish, &EmbedderActor::Save, &EmbedderActor::Load,
           &EmbedderActor::Heartbeat)
RAY_REMOTE(OracleActor::Create, &OracleActor::Solve, &OracleActor::Heartbeat)
RAY_REMOTE(TrialActor::Create, &TrialActor::Train, &TrialActor::Stop, &TrialActor::Heartbeat)
