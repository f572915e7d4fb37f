#include "src/loop/run_plan.h"

#include <algorithm>

#include "src/base/error.h"
#include "src/config/ppo.h"
#include "src/config/scale.h"
#include "src/nets/memory.h"
#include "src/nets/net_shape.h"
#include "src/output/format.h"
#include "src/rollout/batch.h"

namespace dray {
namespace {

// A process with LibTorch loaded, before it does anything.
constexpr int64_t kProcessBytes = 130'000'000;
// A parameter exists as weight, gradient, Adam's two moments and in what is published and saved.
constexpr int64_t kParameterBytes = 6 * 4;
// What of these is never on a GPU.
constexpr int64_t kPublishedBytes = 2 * 4;
// A process that uses CUDA through LibTorch: its context, kernels and work space, as measured.
constexpr int64_t kCudaBytes = 1'500'000'000;
constexpr int64_t kFewEpochs = 10;

int64_t CeilDivide(int64_t a, int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

std::vector<int> ShardSizes(const ScaleConfig& scale, int num_envs, int most_shards) {
  int64_t shards = scale.num_workers() > 0 ? std::min(scale.num_workers(), num_envs)
                                           : CeilDivide(num_envs, EnvsPerShard(scale));
  if (scale.num_workers() == 0 && most_shards > 0) shards = std::min<int64_t>(shards, most_shards);
  std::vector<int> sizes(shards, num_envs / shards);
  for (int64_t i = 0; i < num_envs % shards; ++i) ++sizes[i];
  return sizes;
}

int64_t Epochs(const TrainConfig& train, const EnvSpec& spec, const RunPlan& plan) {
  if (train.epochs() > 0) return train.epochs();
  if (train.total_steps() > 0) return CeilDivide(train.total_steps(), plan.samples_per_epoch);
  if (train.episodes() > 0) {
    return spec.fixed_length ? CeilDivide(train.episodes(), plan.num_envs) : 0;
  }
  if (train.duration_s() > 0) return 0;
  throw UsageError(
      "train: nothing stops the run; set train.episodes, train.epochs, train.total_steps or "
      "train.duration_s");
}

int64_t RolloutBytes(const EnvSpec& spec, const RunPlan& plan) {
  size_t bytes = 0;
  for (const int envs : plan.shard_sizes) {
    bytes += BatchBytes(BatchShape::Of(spec, plan.rollout_steps, envs));
  }
  return bytes;
}

// The learner's lists of what is in the bag of each state: what has joined stands in all that
// follow.
int64_t BagListBytes(const EnvSpec& spec, const RunPlan& plan) {
  const int64_t joined = int64_t{spec.bag.joining} * (plan.rollout_steps + 1) / 2;
  return plan.samples_per_epoch * (spec.bag.own + joined) * static_cast<int64_t>(sizeof(int32_t));
}

// On a GPU, samples exist as uploaded and in the buffers of recorded steps, which hold bags written
// out. A parameter exists as weight, gradient and Adam's two moments.
int64_t GpuBytes(const Config& config, const EnvSpec& spec, const RunPlan& plan) {
  const int64_t row = 2 * plan.rollout_bytes / plan.samples_per_epoch + 4 * spec.bag.width;
  int64_t numbers = spec.bag.width + spec.observation_size;
  for (const int64_t width : config.network().hidden()) numbers += width;
  const int64_t minibatch =
      std::min<int64_t>(config.ppo().minibatch_size(), plan.samples_per_update);
  // Forward and backward keep each layer about three times.
  return kCudaBytes + plan.samples_per_update * row + 3 * 4 * minibatch * numbers +
         4 * 4 * plan.parameters;
}

std::vector<std::string> Warnings(const RunPlan& plan, const Config& config, const EnvSpec& spec) {
  std::vector<std::string> warnings;
  const int64_t most_epochs = plan.epochs > 0 ? plan.epochs : plan.most_epochs;
  if (most_epochs > 0 && most_epochs < kFewEpochs) {
    warnings.push_back(
        Cat(plan.epochs > 0 ? "only " : "at most ", FormatCounted(most_epochs, "epoch"),
            ": the policy learns once per epoch; train longer (--episodes, --epochs) or "
            "with fewer environments (--num-envs)"));
  }
  const bool sees_prices = config.network().kind() == ATTENTION && spec.has_prices();
  if (config.network().price_coefficient() != 0 && !sees_prices) {
    warnings.push_back(
        "network.price_coefficient has no effect: it needs network.kind attention and an "
        "observation that ends in a number for every action");
  }
  if (config.ppo().minibatch_size() > plan.samples_per_update) {
    warnings.push_back(Cat("ppo.minibatch_size ", config.ppo().minibatch_size(),
                           " is larger than the ", plan.samples_per_update,
                           " samples of an update: every pass is one gradient step"));
  }
  const int longest = std::min(config.network().memory_steps(), plan.rollout_steps);
  if (2 * plan.sequence_steps < longest && spec.memory > 0) {
    warnings.push_back(Cat("a rollout of ", plan.rollout_steps,
                           " steps divides into sequences of only ",
                           FormatCounted(plan.sequence_steps, "step"),
                           ", within which the policy learns what to remember: choose a "
                           "train.rollout_steps with a divisor near network.memory_steps"));
  }
  if (plan.shard_sizes.front() != plan.shard_sizes.back()) {
    warnings.push_back(Cat(plan.num_envs, " environments do not divide evenly over ",
                           plan.shard_sizes.size(), " shards: some have ", plan.shard_sizes.front(),
                           ", some ", plan.shard_sizes.back()));
  }
  if (plan.epochs > 0 && config.ppo().update_interval() > plan.epochs) {
    warnings.push_back(Cat("ppo.update_interval ", config.ppo().update_interval(),
                           " is longer than the run of ", FormatCounted(plan.epochs, "epoch"),
                           ": there is one update, at the end"));
  }
  return warnings;
}

std::string ShardsText(const RunPlan& plan) {
  const int most = plan.shard_sizes.front();
  const int least = plan.shard_sizes.back();
  return Cat(FormatCounted(std::ssize(plan.shard_sizes), "shard"), " of ",
             most == least ? Cat(most) : Cat(least, " to ", most));
}

std::string StopText(const RunPlan& plan, const TrainConfig& train) {
  std::string text;
  if (plan.epochs > 0) {
    text = Cat(FormatCounted(plan.epochs, "epoch"), ", ", FormatCounted(plan.updates, "update"),
               ", ", FormatCounted(plan.epochs * plan.samples_per_epoch, "step"));
  } else if (train.episodes() > 0) {
    text = Cat(FormatCounted(train.episodes(), "episode"), ", at most ",
               FormatCounted(plan.most_epochs, "epoch"));
  }
  if (train.duration_s() > 0) {
    text += Cat(text.empty() ? "" : ", or ", train.duration_s(), " s of wall-clock time");
  }
  return text;
}

// The two share no parameter, and Adam takes a loss for what it is whatever its weight: the
// coefficient shows where gradients are scaled together.
std::string OptimisersText(const PpoConfig& ppo) {
  if (SeparateOptimizers(ppo)) {
    return Cat("one for the actor, one for the critic (their ",
               ValueEpochs(ppo) != ppo.policy_epochs() ? "epochs" : "learning rates",
               " differ): ppo.value_coefficient has no effect");
  }
  if (ppo.max_grad_norm() == 0 && ppo.value_coefficient() > 0) {
    return "one for actor and critic: without ppo.max_grad_norm, which scales both, "
           "ppo.value_coefficient acts through ppo.adam_epsilon alone";
  }
  std::string losses;
  const auto add = [&](double coefficient, const char* loss) {
    if (coefficient == 0) return;
    if (!losses.empty()) losses += " + ";
    losses += coefficient == 1 ? loss : Cat(coefficient, " ", loss);
  };
  add(ppo.policy_coefficient(), "policy loss");
  add(ppo.appraisal_coefficient(), "distance from simulated futures");
  add(ppo.value_coefficient(), "value loss");
  return Cat("one for actor and critic: gradients of ", losses);
}

std::string ActionsText(const ActionSpace& actions) {
  return actions.discrete() ? FormatCounted(actions.count, "discrete action")
                            : FormatCounted(actions.outputs(), "continuous action");
}

}  // namespace

std::string WhyNetworkDoesNotFit(int64_t parameters, bool on_gpu, int64_t free_bytes) {
  const int64_t per_parameter = on_gpu ? kPublishedBytes : kParameterBytes;
  if (parameters <= free_bytes / per_parameter) return "";
  return Cat("networks of ", FormatCounted(parameters, "parameter"), " take ",
             FormatBytes(static_cast<double>(parameters) * static_cast<double>(per_parameter)),
             on_gpu ? " beside the GPU" : " with gradients, Adam's moments and copies", ", and ",
             FormatBytes(free_bytes), " of memory are free: make network.hidden smaller");
}

RunPlan MakePlan(const Config& config, const EnvSpec& of_env, const Sharding& sharding) {
  const ScaleConfig& scale = config.scale();
  const PpoConfig& ppo = config.ppo();
  RunPlan plan;
  const EnvSpec spec = WithMemory(of_env, config.network());
  plan.rollout_steps = spec.RolloutSteps(config.train().rollout_steps());
  plan.sequence_steps = SequenceSteps(config.network(), plan.rollout_steps);
  plan.parameters = ParameterCount(spec, config.network());
  plan.num_envs = scale.num_workers() > 0 && scale.num_envs_per_worker() > 0
                      ? scale.num_workers() * scale.num_envs_per_worker()
                      : scale.num_envs();
  DRAY_CHECK_GE(plan.num_envs, 1);  // chosen before (ChooseNumEnvs)
  plan.shard_sizes = ShardSizes(scale, plan.num_envs, sharding.most_shards);
  plan.shards_per_actor = std::max(1, sharding.shards_per_actor);
  plan.samples_per_epoch = int64_t{plan.num_envs} * plan.rollout_steps;
  plan.epochs = Epochs(config.train(), spec, plan);
  if (plan.epochs == 0) {
    plan.most_epochs =
        CeilDivide(config.train().episodes() * spec.max_episode_steps, plan.samples_per_epoch);
  }
  plan.updates = CeilDivide(plan.epochs, ppo.update_interval());
  plan.samples_per_update = plan.samples_per_epoch * ppo.update_interval();
  plan.minibatches =
      CeilDivide(plan.samples_per_update, MinibatchRows(ppo.minibatch_size(), plan.sequence_steps));
  plan.policy_steps_per_update = plan.minibatches * ppo.policy_epochs();
  plan.value_steps_per_update = plan.minibatches * ValueEpochs(ppo);
  plan.rollout_bytes = RolloutBytes(spec, plan);
  // A batch exists as collected, merged and shuffled, with values and targets: six times its bytes
  // were measured.
  plan.estimated_ram_bytes =
      kProcessBytes + (6 * plan.rollout_bytes + BagListBytes(spec, plan)) * ppo.update_interval() +
      kParameterBytes * plan.parameters;
  plan.estimated_gpu_bytes = GpuBytes(config, spec, plan);
  plan.warnings = Warnings(plan, config, spec);
  return plan;
}

std::string PreflightText(const RunPlan& plan, const Config& config, const EnvSpec& spec) {
  std::string text = "preflight\n";
  const auto line = [&](std::string label, const std::string& value) {
    label.resize(14, ' ');
    text += Cat("  ", label, value, "\n");
  };
  line("environment", Cat(spec.name, ": ",
                          FormatCounted(spec.bag.width + spec.observation_size, "observed number"),
                          ", ", ActionsText(spec.actions), spec.masked ? " (masked)" : "", ", ",
                          spec.fixed_length ? "exactly " : "at most ",
                          FormatCounted(spec.max_episode_steps, "step"), " per episode"));
  line("scale", Cat(FormatCounted(plan.num_envs, "environment"), " in ", ShardsText(plan)));
  line("epoch",
       Cat(FormatCounted(plan.rollout_steps, "step"), " x ",
           FormatCounted(plan.num_envs, "environment"), " = ",
           FormatCounted(plan.samples_per_epoch, "sample"), ", ", FormatBytes(plan.rollout_bytes)));
  line("update",
       Cat("every ", FormatCounted(config.ppo().update_interval(), "epoch"), ": ", plan.minibatches,
           plan.minibatches == 1 ? " minibatch" : " minibatches", " of ",
           std::min<int64_t>(config.ppo().minibatch_size(), plan.samples_per_update), " samples; ",
           plan.policy_steps_per_update,
           config.ppo().value_coefficient() == 0 && !SeparateOptimizers(config.ppo())
               ? " gradient steps"
               : Cat(" policy and ", plan.value_steps_per_update, " value gradient steps")));
  line("optimisers", OptimisersText(config.ppo()));
  line("stops after", StopText(plan, config.train()));
  line("networks", FormatCounted(plan.parameters, "parameter"));
  line("memory", Cat("about ", FormatBytes(plan.estimated_ram_bytes), "; on a GPU about ",
                     FormatBytes(plan.estimated_gpu_bytes)));
  for (const std::string& warning : plan.warnings) line("warning", warning);
  return text;
}

}  // namespace dray
