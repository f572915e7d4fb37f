// Every call of a role, through the C facade, with one of its arguments damaged; then the calls
// that use what it took.

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "src/api/dray.h"
#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/base/rng.h"
#include "src/cluster/roles/messages.pb.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/loop/checkpoint.h"
#include "src/oracle/codec.h"
#include "tests/fuzz/edits.h"
#include "tests/fuzz/target.h"
#include "tests/oracle/random_problems.h"

namespace dray::fuzz {
namespace {

using Arguments = std::vector<std::string>;

constexpr char kRoomy[] = R"({"cpus": 8, "free_cpus": 8, "address": "here"})";

// Small networks and episodes of all kinds: numbers, masks, boxes, bags with a side learner.
constexpr char kSmall[] =
    "scale: {num_envs: 2, num_workers: 1, learner_threads: 1}\n"
    "train: {epochs: 3, rollout_steps: 4}\n"
    "ppo: {minibatch_size: 8, policy_epochs: 1}\n"
    "network: {hidden: [4]}\n"
    "evaluation: {episodes: 1}\n"
    "search: {episodes: 1}\n"
    "run: {device: cpu}\n";
constexpr const char* kTasks[] = {
    "env: {name: cartpole, cartpole: {max_steps: 6}}\n",
    "env: {name: pendulum, pendulum: {max_steps: 6}}\nnormalize: {observations: true}\n",
    "env: {name: cage2, cage2: {max_steps: 6, mask_useless: true, truncate: true}}\n",
    "env: {name: dvrptw, dvrptw: {num_customers: 5, num_places: 6, oracle: {kind: insertion}}}\n",
};

// A message that no error of the engine has: something threw that is none.
bool IsRaw(std::string_view message) {
  for (const char* trace : {"std::", "_M_", "basic_string", "json.exception", "vector::"}) {
    if (message.find(trace) != message.npos) return true;
  }
  return message.empty();
}

dray_status Checked(dray_status status) {
  if (status == 0 || !IsRaw(dray_last_error())) return status;
  std::fprintf(stderr, "a raw error: %s\n", dray_last_error());
  std::abort();
}

dray_bytes BytesOf(const std::string& text) { return {text.data(), text.size()}; }

class RoleHandle {
 public:
  RoleHandle(const char* kind, const std::string& settings) {
    Checked(dray_role_create(kind, BytesOf(settings), nullptr, &role_));
  }
  explicit RoleHandle(const std::string& config_file) {
    const char* arguments[] = {"--config", config_file.c_str()};
    Checked(dray_training_create(2, arguments, &role_));
  }
  RoleHandle(const RoleHandle&) = delete;
  RoleHandle& operator=(const RoleHandle&) = delete;
  ~RoleHandle() {
    if (role_ != nullptr) dray_role_destroy(role_);
  }

  bool there() const { return role_ != nullptr; }

  // The reply; empty also when the call failed.
  std::string Call(const char* method, const Arguments& arguments = {}) const {
    if (role_ == nullptr) return "";
    std::vector<dray_bytes> bytes;
    for (const std::string& argument : arguments) bytes.push_back(BytesOf(argument));
    std::string reply;
    const dray_sink sink = {&reply, [](void* self, size_t size) -> void* {
                              static_cast<std::string*>(self)->resize(size);
                              return static_cast<std::string*>(self)->data();
                            }};
    const dray_status status =
        Checked(dray_role_call(role_, method, bytes.data(), bytes.size(), sink));
    return status == 0 ? reply : "";
  }

 private:
  dray_role* role_ = nullptr;
};

std::string Header(int64_t call) {
  CallHeader header;
  header.set_call(call);
  header.set_progress(0.5);
  header.set_remaining(0.5);
  return header.SerializeAsString();
}

// What a training of a task sends between its roles.
struct Messages {
  explicit Messages(size_t task) {
    file = Cat(std::filesystem::temp_directory_path().string(), "/roles-", ::getpid(), "-", task);
    std::ofstream(file + ".yaml") << kTasks[task] << kSmall;
    const RoleHandle training(file + ".yaml");
    training.Call("place", {kRoomy});
    settings = training.Call("settings", {"shard-0"});
    const RoleHandle shard("env_shard", settings), learner("learner", settings);
    const RoleHandle evaluator("evaluator", settings);
    if (task == 3) {
      const RoleHandle embedder("embedder", settings);
      side_state = embedder.Call("save");
      side_model = embedder.Call("publish");
    }
    weights = learner.Call("publish");
    training.Call("next");
    batch = shard.Call("collect", {Header(0), weights, side_model});
    rolled = shard.Call("summary", {Header(0)});
    shard_state = shard.Call("save");
    learner.Call("update", {Header(0), batch});
    updated = learner.Call("summary", {Header(0)});
    learner_state = learner.Call("save");
    evaluated = evaluator.Call("evaluate", {weights, side_model});
    training.Call("rolled", {rolled});
    training.Call("updated", {updated});
    training.Call("save", {file + ".ckpt", learner_state, weights, shard_state});
    checkpoint = CheckpointStore::LoadFile(file + ".ckpt");
    if (evaluated.empty() || updated.empty() || shard_state.empty()) {
      std::fprintf(stderr, "task %zu does not train: %s\n", task, dray_last_error());
      std::abort();
    }
  }
  ~Messages() {
    for (const char* end : {".yaml", ".ckpt", ".damaged"}) std::filesystem::remove(file + end);
  }

  std::string file, settings, weights, side_model, side_state, batch, rolled, updated, evaluated;
  std::string shard_state, learner_state;
  Checkpoint checkpoint;
};

const Messages& Of(size_t task) {
  static std::map<size_t, Messages> all;
  return all.try_emplace(task, task).first->second;
}

// Settings may ask for more than a fuzzer has time and memory for.
bool IsSmall(const std::string& bytes) {
  RoleSettings settings;
  if (!settings.ParseFromString(bytes)) return true;  // refused, then
  const Config& config = settings.config();
  const DvrptwConfig& city = config.env().GetExtension(DvrptwConfig::dvrptw);
  const auto& hidden = config.network().hidden();
  return settings.envs() <= 8 && settings.rollout_steps() <= 64 && hidden.size() <= 4 &&
         std::ranges::all_of(hidden, [](int width) { return width <= 64; }) &&
         config.network().attention_width() <= 128 && config.network().attention_layers() <= 4 &&
         config.scale().learner_threads() == 1 && city.num_places() <= 50 &&
         city.num_customers() <= 10 && city.flexibility().buffer_size() <= 1'000'000 &&
         config.evaluation().episodes() <= 4 && config.env().name().find('/') == std::string::npos;
}

void Create(size_t task, std::string_view edits) {
  const Messages& sent = Of(task);
  constexpr const char* kKinds[] = {"env_shard", "learner", "evaluator", "embedder", "oracle"};
  const char* kind = kKinds[TakeChoice(edits, std::size(kKinds))];
  const std::string settings = Edited(sent.settings, edits);
  if (IsSmall(settings)) RoleHandle(kind, settings).Call("heartbeat");
}

void Collect(size_t task, std::string_view edits) {
  const Messages& sent = Of(task);
  Arguments arguments = {Header(0), sent.weights, sent.side_model};
  std::string& damaged = arguments[TakeChoice(edits, 3)];
  damaged = Edited(damaged, edits);
  const RoleHandle shard("env_shard", sent.settings);
  shard.Call("collect", arguments);
  shard.Call("collect", {Header(1), sent.weights, sent.side_model});
  shard.Call("save");
}

void LoadShard(size_t task, std::string_view edits) {
  const Messages& sent = Of(task);
  const RoleHandle shard("env_shard", sent.settings);
  shard.Call("load", {Edited(sent.shard_state, edits)});
  for (int64_t call = 0; call < 3; ++call) {
    shard.Call("collect", {Header(call), sent.weights, sent.side_model});
    shard.Call("summary", {Header(call)});
  }
  shard.Call("save");
}

void UpdateLearner(size_t task, std::string_view edits) {
  const Messages& sent = Of(task);
  Arguments arguments = {Header(0), sent.batch, sent.batch};
  std::string& damaged = arguments[TakeChoice(edits, 3)];
  damaged = Edited(damaged, edits);
  const RoleHandle learner("learner", sent.settings);
  learner.Call("update", arguments);
  learner.Call("update", {Header(1), sent.batch});
  learner.Call("save");
}

void LoadLearner(size_t task, std::string_view edits) {
  const Messages& sent = Of(task);
  Arguments arguments = {sent.learner_state, std::string(8, '\0')};
  std::string& damaged = arguments[TakeChoice(edits, 2)];
  damaged = Edited(damaged, edits);
  const RoleHandle learner("learner", sent.settings);
  learner.Call("load", arguments);
  learner.Call("update", {Header(0), sent.batch});
  learner.Call("publish");
  learner.Call("export");
}

void Evaluate(size_t task, std::string_view edits) {
  const Messages& sent = Of(task);
  Arguments arguments = {sent.weights, sent.side_model};
  std::string& damaged = arguments[TakeChoice(edits, 2)];
  damaged = Edited(damaged, edits);
  RoleHandle("evaluator", sent.settings).Call("evaluate", arguments);
}

void Embed(size_t /*task*/, std::string_view edits) {
  const Messages& sent = Of(3);
  const RoleHandle embedder("embedder", sent.settings);
  if (TakeChoice(edits, 2) == 0) {
    embedder.Call("load", {Edited(sent.side_state, edits)});
  } else {
    // Riders, actions, answers, behind how many there are.
    embedder.Call(
        "add",
        {Edited(std::string("\2\0\0\0\0\0\0\0\1\0\0\0\3\0\1\0\2\0\0\0\4\0\0\0", 24), edits)});
  }
  embedder.Call("update");
  embedder.Call("publish");
  embedder.Call("save");
}

void Solve(size_t /*task*/, std::string_view edits) {
  static const std::string valid = [] {
    Rng rng(1, RngPurpose::kTest, 0);
    const Problem problem = RandomProblem({.requests = 3}, rng);
    const std::string sealed = EncodeRequest(OracleTask::kSolve, std::vector{&problem}, {},
                                             std::vector{problem.travel.fingerprint()});
    return sealed.substr(0, sealed.size() - sizeof(uint64_t));
  }();
  std::string content = Edited(valid, edits);
  ByteWriter seal;
  seal.Put(Fingerprint(content));
  RoleHandle("oracle", Of(3).settings).Call("solve", {content + seal.bytes()});
}

void Step(size_t task, std::string_view edits) {
  const Messages& sent = Of(task);
  constexpr const char* kMethods[] = {"place",   "settings",  "rolled",
                                      "updated", "evaluated", "saved"};
  const std::string valid[] = {kRoomy,       "shard-0",      sent.rolled,
                               sent.updated, sent.evaluated, "shard-0"};
  const size_t method = TakeChoice(edits, std::size(kMethods));
  const RoleHandle training(sent.file + ".yaml");
  training.Call("place", {kRoomy});
  training.Call("next");
  if (method == 3) training.Call("rolled", {sent.rolled});
  training.Call(kMethods[method], {Edited(valid[method], edits)});
  training.Call("next");
  training.Call("header");
  training.Call("rolled", {sent.rolled});
  training.Call("updated", {sent.updated});
  training.Call("next");
}

// A part of a checkpoint is damaged, and its checksum is right.
std::string DamagedCheckpoint(size_t task, std::string_view edits) {
  Checkpoint checkpoint = Of(task).checkpoint;
  std::string* const parts[] = {&checkpoint.loop,         &checkpoint.learner,
                                &checkpoint.weights,      &checkpoint.episodes,
                                &checkpoint.side_learner, &checkpoint.side_model,
                                &checkpoint.shards[0],    &checkpoint.config_yaml};
  std::string& part = *parts[TakeChoice(edits, std::size(parts))];
  part = Edited(part, edits);
  return checkpoint.ToBytes();
}

void LoadTraining(size_t task, std::string_view edits) {
  const Messages& sent = Of(task);
  std::ofstream(sent.file + ".damaged", std::ios::binary) << DamagedCheckpoint(task, edits);
  const RoleHandle training(sent.file + ".yaml");
  training.Call("place", {kRoomy});
  training.Call("load", {sent.file + ".damaged"});
  training.Call("next");
  const RoleHandle shard("env_shard", sent.settings), learner("learner", sent.settings);
  learner.Call("load", {training.Call("saved", {"learner"}), std::string(8, '\0')});
  shard.Call("load", {training.Call("saved", {"shard-0"})});
  const std::string header = training.Call("header");
  shard.Call("collect", {header, learner.Call("publish"), training.Call("side_model")});
  training.Call("rolled", {sent.rolled});
  training.Call("next");
}

void Train(size_t task, std::string_view edits) {
  const Messages& sent = Of(task);
  RoleSettings settings;
  settings.ParseFromString(sent.settings);
  settings.set_name("trial-1");
  settings.mutable_config()->mutable_train()->set_epochs(1);
  const RoleHandle trial("trial", settings.SerializeAsString());
  trial.Call("train", {DamagedCheckpoint(task, edits)});
}

void LoadEnvs(size_t task, std::string_view edits) {
  const std::string settings = kTasks[task];
  dray_envs* envs = nullptr;
  if (Checked(dray_envs_create(BytesOf(settings), 1, 2, &envs)) != 0) return;
  std::string state;
  const dray_sink sink = {&state, [](void* self, size_t size) -> void* {
                            static_cast<std::string*>(self)->resize(size);
                            return static_cast<std::string*>(self)->data();
                          }};
  dray_envs_reset(envs);
  dray_envs_save(envs, sink);
  state = Edited(state, edits);
  Checked(dray_envs_load(envs, BytesOf(state)));
  dray_env_memory memory;
  dray_envs_memory(envs, &memory);
  for (int step = 0; step < 8; ++step) Checked(dray_envs_step(envs));
  dray_envs_destroy(envs);
}

// Names and numbers of arguments that no role has.
void CallAnything(size_t task, std::string_view bytes) {
  constexpr const char* kKinds[] = {"env_shard", "learner", "evaluator", "oracle", "no_role"};
  constexpr const char* kMethods[] = {"collect", "update",   "load",
                                      "solve",   "evaluate", "no_method"};
  const RoleHandle role(kKinds[TakeChoice(bytes, std::size(kKinds))], Of(task).settings);
  const char* method = kMethods[TakeChoice(bytes, std::size(kMethods))];
  role.Call(method, Arguments(TakeChoice(bytes, 5), std::string(bytes)));
}

}  // namespace

// What a role keeps does not depend on the bytes alone: its settings say how large it is.
size_t MostMemory(size_t bytes) { return Times(2000, bytes) + (64 << 20); }

void Read(std::string_view bytes) {
  constexpr void (*kCalls[])(size_t, std::string_view) = {
      Create, Collect, LoadShard,    UpdateLearner, LoadLearner, Evaluate,    Embed,
      Solve,  Step,    LoadTraining, Train,         LoadEnvs,    CallAnything};
  const size_t call = TakeChoice(bytes, std::size(kCalls));
  kCalls[call](TakeChoice(bytes, std::size(kTasks)), bytes);
}

}  // namespace dray::fuzz
