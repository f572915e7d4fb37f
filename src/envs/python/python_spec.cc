#include "src/envs/python/python_spec.h"

#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <utility>

#include "src/base/error.h"
#include "src/base/installation.h"
#include "src/base/json.h"
#include "src/config/user_path.h"
#include "src/envs/python/worker_pool.h"

namespace dray {
namespace {

constexpr char kWorker[] = "env_worker";  // in src/python/dray/command.py

Json OptionsOf(const PythonConfig& config) {
  Json options = Json::object();
  for (const std::string& option : config.options()) {
    const size_t equals = option.find('=');
    if (equals == 0 || equals == std::string::npos) {
      throw UsageError("env.python.options: \"", option,
                       "\" is not NAME=VALUE: write [size=8, mode=fast]");
    }
    const std::string text = option.substr(equals + 1);
    const Json value = ParsedJson(text);
    options[option.substr(0, equals)] = value.is_discarded() ? Json(text) : value;
  }
  return options;
}

void CheckName(const std::string& env) {
  const size_t colon = env.find(':');
  if (colon == 0 || colon == std::string::npos || colon + 1 == env.size()) {
    throw UsageError("env.python.env: \"", env,
                     "\" names no environment: write gym:CartPole-v1 or my_module:make_env");
  }
}

// Returns the name for messages, without the function that pickle:NAME:FUNCTION carries.
std::string ShownName(const std::string& env) {
  return env.starts_with("pickle:") ? env.substr(0, env.rfind(':')) : env;
}

// Returns what an earlier call stored for the same environment; a discarded value if there is none.
Json Carried(const PythonConfig& config) {
  Json carried = ParsedJson(config.carried());
  const bool same = carried.is_object() && carried.value("env", "") == config.env() &&
                    carried.value("options", Json::object()) == OptionsOf(config) &&
                    carried.contains("command") && carried.contains("spec");
  return same ? carried : Json(Json::value_t::discarded);
}

// Checks whether a command that starts Python can work on this machine.
bool Exists(const std::vector<std::string>& command) {
  constexpr std::string_view kPath = "PYTHONPATH=";
  if (command.size() < 2) return false;
  if (!command[1].starts_with(kPath)) return ::access(command[0].c_str(), X_OK) == 0;
  const std::string path = command[1].substr(kPath.size());
  return ::access((path.substr(0, path.find(':')) + "/dray/env_worker.py").c_str(), R_OK) == 0;
}

// Returns the command of this installation. A process that does not know its Python, such as an
// actor, uses the one that the run has stored, if this machine has it.
std::vector<std::string> CommandFor(const Json& carried) {
  std::vector<std::string> here = PythonCommand(kWorker);
  if (carried.is_discarded() || (KnowsItsPython() && Exists(here))) return here;
  auto stored = carried["command"].get<std::vector<std::string>>();
  return Exists(stored) || !Exists(here) ? stored : here;
}

// Asks a worker to make the environment once.
std::string Described(const PythonConfig& config, const std::vector<std::string>& command) {
  std::unique_ptr<PythonWorker> worker = TakeWorker(command);
  const Json setup = {
      {"env", config.env()}, {"options", OptionsOf(config)}, {"folder", config.folder()}};
  worker->Tell(WorkerCommand::kDescribe, JsonText(setup));
  const WorkerReply reply = worker->Await(config.start_timeout_s(), nullptr);
  if (reply.problem) throw Reported(*reply.problem, "env.python.env: " + ShownName(config.env()));
  ReturnWorker(std::move(worker));
  return reply.data;
}

EnvSpec SpecFrom(const std::string& env, const Json& described) {
  const Json& actions = described.at("actions");
  EnvSpec spec;
  spec.name = env;
  spec.observation_size = described.at("observation_size").get<int>();
  spec.actions = actions.contains("count")
                     ? ActionSpace::Discrete(actions.at("count").get<int>())
                     : ActionSpace::Box(actions.at("low").get<std::vector<float>>(),
                                        actions.at("high").get<std::vector<float>>());
  spec.max_episode_steps = described.at("max_episode_steps").get<int>();
  spec.masked = described.at("masked").get<bool>();
  spec.episode_stats = described.at("episode_stats").get<std::vector<std::string>>();
  spec.rollout_stats = {{.name = "workers_replaced"}};
  const std::string why_not = described.at("why_not_saved").get<std::string>();
  if (!why_not.empty()) {
    spec.notes.push_back(Cat(env, " cannot be saved (", why_not,
                             "), so a resumed run starts new episodes; see "
                             "docs/own_environment.md"));
  }
  return spec;
}

}  // namespace

void CarryPythonEnv(PythonConfig* config) {
  CheckName(config->env());
  const std::string folder = config->folder().empty() ? "." : config->folder();
  config->set_folder(std::filesystem::absolute(UserPath(folder)).lexically_normal().string());
  const Json before = Carried(*config);
  const std::vector<std::string> command = CommandFor(before);
  const Json spec =
      before.is_discarded() ? ParsedJson(Described(*config, command)) : before.at("spec");
  const Json carried = {{"env", config->env()},
                        {"options", OptionsOf(*config)},
                        {"command", command},
                        {"spec", spec}};
  config->set_carried(JsonText(carried));
}

PythonEnvSetup::PythonEnvSetup(const PythonConfig& config) : env(config.env()) {
  PythonConfig filled = config;
  CarryPythonEnv(&filled);
  const Json carried = Carried(filled);
  options = JsonText(OptionsOf(filled));
  folder = filled.folder();
  command = carried.at("command").get<std::vector<std::string>>();
  described = JsonText(carried.at("spec"));
  try {
    spec = SpecFrom(ShownName(env), carried.at("spec"));
  } catch (const Json::exception& error) {
    throw UsageError("env.python.carried: unreadable; remove it from the settings");
  }
}

Json PythonEnvSetup::ForWorker() const {
  return {{"env", env},
          {"options", ParsedJson(options)},
          {"folder", folder},
          {"spec", ParsedJson(described)}};
}

Error Reported(const WorkerProblem& problem, const std::string& who) {
  if (!problem.traceback.empty()) std::cerr << problem.traceback << std::flush;
  const std::string where = problem.where.empty() ? "" : Cat(" (", problem.where, ")");
  const auto kind =
      problem.kind == WorkerProblem::Kind::kUsage ? Error::Kind::kUsage : Error::Kind::kFailure;
  if (problem.complete) return {kind, problem.what};
  const std::string_view link = problem.kind == WorkerProblem::Kind::kLost ? ": worker " : ": ";
  return {kind, Cat(who, link, problem.what, where)};
}

}  // namespace dray
