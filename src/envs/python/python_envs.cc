#include "src/envs/python/python_envs.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <thread>
#include <utility>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/env/step_check.h"
#include "src/envs/python/worker_pool.h"

namespace dray {
namespace {

constexpr int kEnvsPerWorker = 32;
constexpr int kMostLosses = 5;              // of a worker whose episodes never end
constexpr uint32_t kSeedMask = 0x7fffffff;  // Gymnasium's seeds are not negative

int WorkerCount(const PythonConfig& config, int envs) {
  if (config.workers() > 0) return std::min(config.workers(), envs);
  const int cores = std::max(1u, std::thread::hardware_concurrency());
  return std::min((envs + kEnvsPerWorker - 1) / kEnvsPerWorker, cores);
}

}  // namespace

template <typename T>
void PythonEnvs::CopyRows(std::span<T> to, std::span<T> from, const Host& host) {
  std::ranges::copy(from, to.begin() + host.first * (from.size() / host.count));
}

PythonEnvs::PythonEnvs(const PythonConfig& config, const EnvStreams& streams, int count)
    : config_(config),
      setup_(config),
      // The upper bits count replacements of a shard.
      first_env_(static_cast<int>(streams.first_index & 0xffff)) {
  for (int i = 0; i < count; ++i) {
    running_.push_back({.seeds = Rng(streams.seed, streams.purpose, streams.first_index + i)});
  }
  const int workers = WorkerCount(config, count);
  for (int i = 0; i < workers; ++i) {
    const int first = i * count / workers, next = (i + 1) * count / workers;
    hosts_.push_back({.first = first,
                      .count = next - first,
                      .worker = nullptr,
                      .columns = StepColumns(setup_.spec, next - first)});
  }
  last_observations_.resize(size_t{1} * count * setup_.spec.observation_size);
}

PythonEnvs::~PythonEnvs() {
  for (Host& host : hosts_) ReturnWorker(std::move(host.worker));
}

void PythonEnvs::BeginStart(Host& host) {
  Json setup = setup_.ForWorker();
  Json seeds = Json::array();
  for (int i = host.first; i < host.first + host.count; ++i) {
    seeds.push_back(running_[i].seeds.Next32() & kSeedMask);
  }
  host.worker = TakeWorker(setup_.command);
  host.worker->Resize(host.columns.bytes());
  host.columns.Bind(host.worker->memory());
  setup["seeds"] = std::move(seeds);
  setup["columns"] = host.columns.Offsets();
  setup["bytes"] = host.columns.bytes();
  host.worker->Tell(WorkerCommand::kBegin, JsonText(setup));
}

void PythonEnvs::FinishStart(Host& host) {
  const WorkerReply reply = host.worker->Await(config_.start_timeout_s(), nullptr);
  if (reply.problem) throw Reported(*reply.problem, Who(host, *reply.problem));
}

void PythonEnvs::StartAll() {
  if (hosts_.front().worker) return;
  for (Host& host : hosts_) BeginStart(host);
  for (Host& host : hosts_) FinishStart(host);
}

WorkerReply PythonEnvs::Await(const Host& host) const {
  return host.worker->Await(config_.step_timeout_s(), host.columns.at.data());
}

void PythonEnvs::AwaitReset(const Host& host) const {
  const WorkerReply reply = Await(host);
  if (reply.problem) throw Reported(*reply.problem, Who(host, *reply.problem));
}

void PythonEnvs::Reset(std::span<float> observations, std::span<uint8_t> masks,
                       std::span<int16_t> /*bags*/) {
  StartAll();
  for (Host& host : hosts_) host.worker->Tell(WorkerCommand::kReset);
  for (Host& host : hosts_) {
    AwaitReset(host);
    CopyRows(observations, host.columns.observations, host);
    CopyRows(masks, host.columns.masks, host);
  }
  std::ranges::copy(observations, last_observations_.begin());
  for (Running& running : running_) running.Restart();
}

void PythonEnvs::Step(const Actions& actions, const StepSlots& slots) {
  for (Host& host : hosts_) {
    WriteActions(actions, host);
    host.worker->Tell(WorkerCommand::kStep);
  }
  for (Host& host : hosts_) {
    if (const std::optional<WorkerProblem> problem = StepProblem(host)) {
      Replace(host, *problem);
      DropEpisodes(host);
    } else {
      CountStep(host);
    }
    CopyStep(host, slots);
  }
  std::ranges::copy(slots.observations, last_observations_.begin());
}

void PythonEnvs::WriteActions(const Actions& actions, Host& host) const {
  const ActionSpace& space = setup_.spec.actions;
  if (space.discrete()) {
    std::ranges::copy(actions.indices.subspan(host.first, host.count),
                      host.columns.action_indices.begin());
    return;
  }
  const size_t width = space.low.size();
  const auto drawn = actions.values.subspan(host.first * width, host.count * width);
  for (size_t i = 0; i < drawn.size(); ++i) {
    if (std::isnan(drawn[i])) {
      throw Failure("environment ", first_env_ + host.first + i / width, " of ", setup_.spec.name,
                    " was given an action that is not a number: the policy has diverged; try a "
                    "smaller ppo.learning_rate");
    }
    host.columns.action_values[i] =
        std::clamp(drawn[i], space.low[i % width], space.high[i % width]);
  }
}

std::optional<WorkerProblem> PythonEnvs::StepProblem(Host& host) const {
  WorkerReply reply = Await(host);
  // Numbers that cannot be learned from end the run by themselves, in the check after each step.
  if (reply.problem || config_.on_error() == PythonConfig::STOP) return std::move(reply.problem);
  const StepColumns& columns = host.columns;
  try {
    CheckStep(setup_.spec,
              {columns.observations, columns.masks, columns.rewards, columns.terminated,
               columns.truncated, columns.final_observations},
              first_env_ + host.first, running_[host.first].length);
  } catch (const Error& error) {
    return WorkerProblem{.what = error.what(), .where = {}, .traceback = {}, .complete = true};
  }
  return std::nullopt;
}

void PythonEnvs::CountStep(Host& host) {
  const StepColumns& columns = host.columns;
  const size_t stats = setup_.spec.episode_stats.size();
  for (int row = 0; row < host.count; ++row) {
    Running& running = running_[host.first + row];
    running.total_reward += columns.rewards[row];
    ++running.length;
    if (!columns.terminated[row] && !columns.truncated[row]) continue;
    if (!running.dropped) {
      const auto own = columns.stats.subspan(row * stats, stats);
      episodes_.push_back({.env = host.first + row,
                           .length = running.length,
                           .total_reward = running.total_reward,
                           .stats = {own.begin(), own.end()}});
      host.losses = 0;
    }
    running.Restart();
  }
}

void PythonEnvs::Replace(Host& host, const WorkerProblem& problem) {
  const Error error = Reported(problem, Who(host, problem));
  const bool raised = problem.kind != WorkerProblem::Kind::kLost;
  if (raised && config_.on_error() == PythonConfig::STOP) throw error;
  if (++host.losses > kMostLosses) {
    throw Failure(error.what(), "; the worker was replaced ", kMostLosses,
                  " times before an episode ended");
  }
  std::cerr << Cat("dray: ", error.what(), "; replacing the worker and dropping ", host.count,
                   " episodes\n")
            << std::flush;
  host.worker.reset();
  BeginStart(host);
  FinishStart(host);
  host.worker->Tell(WorkerCommand::kReset);
  AwaitReset(host);
  ++replaced_;
}

// To the learner, the episodes were truncated in the states that were seen last.
void PythonEnvs::DropEpisodes(Host& host) {
  StepColumns& columns = host.columns;
  const size_t width = setup_.spec.observation_size;
  std::ranges::fill(columns.rewards, 0.0f);
  std::ranges::fill(columns.terminated, uint8_t{0});
  std::ranges::fill(columns.truncated, uint8_t{1});
  std::ranges::copy(std::span(last_observations_).subspan(host.first * width, host.count * width),
                    columns.final_observations.begin());
  for (int row = 0; row < host.count; ++row) running_[host.first + row].Restart();
}

void PythonEnvs::CopyStep(const Host& host, const StepSlots& slots) const {
  const StepColumns& columns = host.columns;
  CopyRows(slots.observations, columns.observations, host);
  CopyRows(slots.masks, columns.masks, host);
  CopyRows(slots.rewards, columns.rewards, host);
  CopyRows(slots.terminated, columns.terminated, host);
  CopyRows(slots.truncated, columns.truncated, host);
  const size_t width = setup_.spec.observation_size;
  for (int row = 0; row < host.count; ++row) {
    if (!columns.terminated[row] && !columns.truncated[row]) continue;
    std::ranges::copy(columns.final_observations.subspan(row * width, width),
                      slots.final_observations.begin() + (host.first + row) * width);
  }
}

std::string PythonEnvs::Who(const Host& host, const WorkerProblem& problem) const {
  int row = problem.row;
  if (row < 0 && problem.kind == WorkerProblem::Kind::kLost) row = host.columns.at[0];
  if (row < 0 || row >= host.count) return setup_.spec.name;
  const int env = host.first + row;
  return Cat("environment ", first_env_ + env, " of ", setup_.spec.name, ", step ",
             running_[env].length + 1, " of its episode");
}

std::vector<Episode> PythonEnvs::TakeEpisodes() { return std::exchange(episodes_, {}); }

std::vector<double> PythonEnvs::TakeRolloutStats() {
  return {static_cast<double>(std::exchange(replaced_, 0))};
}

std::string PythonEnvs::Render(int env) const {
  const size_t width = setup_.spec.observation_size;
  std::string text = Cat("step ", running_.at(env).length, ": observation");
  for (const float value : std::span(last_observations_).subspan(env * width, width)) {
    text += Cat(" ", value);
  }
  return text;
}

// States of the host's environments, each a string; empty where there is none.
std::vector<std::string> PythonEnvs::States(const Host& host) const {
  host.worker->Tell(WorkerCommand::kSave);
  const WorkerReply reply = Await(host);
  std::vector<std::string> states(host.count);
  if (reply.problem) {
    std::cerr << Cat("dray: ", Reported(*reply.problem, Who(host, *reply.problem)).what(),
                     "; resuming from this checkpoint starts new episodes\n")
              << std::flush;
    return states;
  }
  ByteReader in(reply.data, "the state of Python environments");
  for (std::string& state : states) {
    in.Get<uint64_t>();
    state = in.GetString();
  }
  return states;
}

void PythonEnvs::Save(ByteWriter& out) const {
  SaveBatchName(setup_.spec.name, size(), out);
  for (const Running& running : running_) {
    running.seeds.Save(out);
    out.Put(running.total_reward);
    out.Put(running.length);
  }
  for (const Host& host : hosts_) {
    for (const std::string& state : States(host)) {
      out.PutString(state);
      out.Put(Crc32c(state));  // Python would not notice all damage
    }
  }
  out.PutVector(last_observations_);
  SaveEpisodes(episodes_, out);
}

void PythonEnvs::Load(ByteReader& in) {
  ExpectSavedBatch(setup_.spec.name, size(), in);
  std::vector<Running> running = running_;
  for (Running& each : running) {
    each.seeds.Load(in);
    each.total_reward = in.Get<double>();
    each.length = in.Get<int64_t>();
    if (!std::isfinite(each.total_reward) || each.length < 0) {
      throw Failure("a saved episode of ", setup_.spec.name, " is damaged");
    }
  }
  std::vector<std::string> states(size());
  for (std::string& state : states) {
    state = in.GetString();
    if (in.Get<uint32_t>() != Crc32c(state)) {
      throw Failure("a saved state of ", setup_.spec.name, " is damaged");
    }
  }
  std::vector<float> observations(last_observations_.size());
  in.GetInto<float>(observations);
  std::vector<Episode> episodes = LoadEpisodes(setup_.spec, size(), in);
  StartAll();
  running_ = std::move(running);
  last_observations_ = std::move(observations);
  episodes_ = std::move(episodes);
  for (Host& host : hosts_) LoadStates(host, states);
}

void PythonEnvs::LoadStates(Host& host, std::span<const std::string> states) {
  ByteWriter out;
  for (int i = host.first; i < host.first + host.count; ++i) {
    Running& running = running_[i];
    running.dropped = states[i].empty();
    out.Put<uint64_t>(running.dropped ? running.seeds.Next32() & kSeedMask : 0);
    out.PutString(states[i]);
  }
  const size_t width = setup_.spec.observation_size;
  std::ranges::copy(std::span(last_observations_).subspan(host.first * width, host.count * width),
                    host.columns.observations.begin());
  host.worker->Tell(WorkerCommand::kLoad, out.bytes());
  AwaitReset(host);
}

}  // namespace dray
