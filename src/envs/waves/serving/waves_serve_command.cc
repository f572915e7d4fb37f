#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "src/base/error.h"
#include "src/config/command.h"
#include "src/config/user_path.h"
#include "src/config/yaml_loader.h"
#include "src/envs/waves/instances.h"
#include "src/envs/waves/orders.h"
#include "src/envs/waves/policies/learned_dispatch.h"
#include "src/envs/waves/serving/wave_lines.h"
#include "src/envs/waves/serving/waves_serve.pb.h"
#include "src/nets/checkpoint_file.h"

namespace dray {
namespace {

struct Trained {
  Config config;
  std::string weights;
};

Trained ReadPolicy(const std::string& path) {
  const FoundCheckpoint found = FindCheckpoint(UserPath(path));
  const SectionReader sections = found.file.Sections();
  Trained trained;
  LoadYamlText(std::string(sections.Bytes("config")), found.file.path, &trained.config);
  if (trained.config.env().name() != "waves") {
    throw UsageError(found.file.path, ": was trained on ", trained.config.env().name(),
                     "; waves_serve needs a policy of the task waves");
  }
  trained.weights = sections.Bytes("weights");
  return trained;
}

std::shared_ptr<const waves::Instance> InstanceFor(const WavesConfig& config) {
  if (config.orders().empty() && config.instances_size() != 1) {
    throw UsageError(
        "waves_serve: needs the orders of past days (--orders orders.csv --places places.csv) or "
        "one --instance");
  }
  const waves::Instances instances = waves::InstancesOf(config);
  if (config.orders().empty()) return instances.at(0);
  return std::make_shared<const waves::Instance>(waves::WithWholeDay(*instances.at(0)));
}

// Opens the file of waves. A folder opens as well, but reads as if it were empty.
std::ifstream OpenWaves(const std::string& path) {
  std::ifstream in(path);
  if (in && !std::filesystem::is_directory(path)) return in;
  throw UsageError("--waves ", path,
                   ": cannot be read; name a file of waves, or - for standard input");
}

void WavesServeCommand(const GivenFlags& given) {
  const auto settings = SettingsFrom<WavesServeSettings>(given);
  WavesConfig config = settings.waves();
  std::unique_ptr<waves::DispatchPolicy> policy;
  if (settings.run_dir().empty()) {
    policy = waves::MakePolicy(settings.policy());
  } else {
    Trained trained = ReadPolicy(settings.run_dir());
    WavesConfig& own = *trained.config.mutable_env()->MutableExtension(WavesConfig::waves);
    if (!config.orders().empty()) own.clear_instances();
    if (config.instances_size() > 0) own.clear_orders();
    own.MergeFrom(config);
    config = own;
    policy = std::make_unique<waves::LearnedDispatch>(trained.config, trained.weights);
  }
  const waves::Effort effort = waves::EffortOf(settings.seconds(), settings.rounds());
  waves::Dispatcher dispatcher(InstanceFor(config), std::move(policy), effort, settings.seed());
  waves::WaveLines lines(&dispatcher);
  const std::string& file = settings.waves_file();
  if (file.empty() || file == "-") return lines.AnswerAll(std::cin, std::cout);
  std::ifstream in = OpenWaves(UserPath(file));
  lines.AnswerAll(in, std::cout);
}

}  // namespace

namespace commands {
Command waves_serve() {
  using enum FlagForm;
  return {
      .name = "waves_serve",
      .intro =
          "Dispatches the orders of a real day in waves: a line of JSON in, a line of JSON out.\n"
          "  {\"leaves\": \"11:00\", \"orders\": [{\"order\": \"A17\", \"place\": \"clinic\",\n"
          "   \"opens\": \"11:30\", \"closes\": \"13:00\", \"service\": 5, \"load\": 1}]}\n"
          "lists the new orders since the previous wave. The answer has the routes that leave in\n"
          "this wave and the orders that wait, each with the time of its last possible wave.\n"
          "  {\"new_day\": true}       starts a new day\n"
          "Futures are sampled from the orders of past days. Name places as in your file of\n"
          "places; without names, use numbers from 1 (0 is the depot). A line has at most 1 MiB.\n",
      .examples =
          "  waves_serve --orders orders.csv --places places.csv --capacity 8 < day.jsonl\n"
          "  waves_serve --run-dir runs/waves --waves day.jsonl\n",
      .settings = WavesServeSettings::descriptor(),
      .flags = {{.name = "orders", .form = kPath, .value = "FILE", .path = "waves.orders"},
                {.name = "places", .form = kPath, .value = "FILE", .path = "waves.places"},
                {.name = "travel", .form = kPath, .value = "FILE", .path = "waves.travel"},
                {.name = "speed-kmh", .value = "N", .path = "waves.speed_kmh"},
                {.name = "capacity", .value = "N", .path = "waves.capacity"},
                {.name = "depot-closes", .value = "MIN", .path = "waves.depot_closes_min"},
                {.name = "instance", .form = kPaths, .value = "FILE", .path = "waves.instances"},
                {.name = "policy", .form = kText, .value = "NAME", .path = "policy"},
                {.name = "run-dir", .form = kPath, .value = "DIR", .path = "run_dir"},
                {.name = "seconds", .value = "S", .path = "seconds"},
                {.name = "rounds", .value = "N", .path = "rounds"},
                {.name = "seed", .value = "N", .path = "seed"},
                {.name = "waves", .form = kText, .value = "FILE", .path = "waves_file"},
                kHelpFlag},
      .body = WavesServeCommand};
}
}  // namespace commands

}  // namespace dray
