#include "src/commands/search_command.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <thread>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/interruption.h"
#include "src/commands/command_host.h"
#include "src/commands/run_arguments.h"
#include "src/config/command.h"
#include "src/config/dump.h"
#include "src/config/yaml_loader.h"
#include "src/env/registry.h"
#include "src/loop/auto_settings.h"
#include "src/loop/early_stop.h"
#include "src/loop/env_count.h"
#include "src/loop/run_folder.h"
#include "src/loop/run_plan.h"
#include "src/output/format.h"
#include "src/output/tensorboard_sink.h"
#include "src/search/cluster_trial_runner.h"
#include "src/search/local_trial_runner.h"
#include "src/search/search_run.h"
#include "src/search/trial_log.h"

namespace dray {
namespace {

namespace fs = std::filesystem;

constexpr char kDefaultSearch[] = "cage2_workflow";

// Returns true if a setting may change when a search is resumed: no choice or result depends on it.
bool MayChange(const std::string& path) {
  for (const char* prefix :
       {"run.", "ray.", "search.workflows", "scale.threads", "scale.learner_threads"}) {
    if (path.starts_with(prefix)) return true;
  }
  return false;
}

void ExpectSameSearch(const RunArguments& line, const Config& config) {
  if (!fs::exists(config.run().dir() + kTrialLogFile)) {
    throw UsageError("--resume ", config.run().dir(), ": it is not a search folder (there is no ",
                     fs::path(kTrialLogFile).filename().string(),
                     "); name one that is, or start a new search with --run-dir");
  }
  Config before;
  LoadYamlFile(Cat(config.run().dir(), "/", kRunConfigFile), &before);
  for (const ChangedKey& key : ChangedKeys(before, config)) {
    if (MayChange(key.path)) continue;
    throw UsageError(WhereSet(line, key.path), ": ", key.path,
                     " changed since the search began, from ", key.before, " to ", key.after,
                     "; restore it, or search in another --run-dir");
  }
}

// Settles what is left to the machine: the number of environments and of parallel trainings.
void Settle(const EnvSpec& spec, const Resources& resources, Config* config) {
  ChooseNumEnvs(spec, resources, config);
  SearchConfig& search = *config->mutable_search();
  if (search.parallel() == 0) {
    search.set_parallel(std::clamp<int>(resources.cpus, 1, search.workflows()));
  }
}

const Workflow& WorkflowOf(const EnvConfig& config) {
  const Task& task = TaskOf(config);
  if (task.workflow) return *task.workflow;
  throw UsageError("env.name: ", config.name(),
                   ": this task has no workflows to search over; choose one that has: ",
                   TasksThatOffer(&Task::workflow));
}

TrialConfig TrialConfigs(const Config& config, const Orders& orders, const Workflow& workflow) {
  return [config, orders, set_order = workflow.set_order](const Trial& trial) {
    Config one = config;
    set_order(one, orders.At(trial.order));
    one.mutable_train()->set_seed(trial.seed);
    one.mutable_run()->set_dir(Cat(config.run().dir(), "/", TrialFolderName(trial.number)));
    one.mutable_run()->set_runner(RunConfig::LOCAL);
    if (!trial.init_from.empty()) one.mutable_run()->set_init_from(trial.init_from);
    return one;
  };
}

// Divides the cores among parallel trainings.
Config WithThreads(Config config) {
  const int cores = std::max(1u, std::thread::hardware_concurrency());
  const int share = std::max(1, cores / config.search().parallel());
  ScaleConfig& scale = *config.mutable_scale();
  if (scale.threads() == 0) scale.set_threads(share);
  if (scale.learner_threads() == 0) scale.set_learner_threads(share);
  const EnvSpec spec = SpecOf(config.env());
  ChooseShards(spec, Trials(config, spec), share, TimeHandingToThread(), &config);
  return config;
}

void DryRun(const Config& config, const EnvSpec& spec, const std::vector<std::string>& items) {
  const OrderSearch search(config.search(), items.size(), config.train().seed());
  std::cout << DumpYaml(config) << "\n"
            << PreflightText(MakePlan(config, spec), config, spec) << "  search        "
            << FormatCount(search.orders().count()) << " workflows, of which "
            << FormatCount(config.search().workflows()) << " trainings as above, "
            << config.search().parallel() << " at a time\n";
  for (const auto& choice : search.Next(config.search().parallel())) {
    std::cout << "  first         " << OrderText(search.orders().At(choice.order), items) << "\n";
  }
}

std::unique_ptr<Cluster> Open(const CommandHost& host, const Config& config) {
  const std::string folder = fs::path(config.run().dir()).filename().string();
  return host.open_cluster(
      Cat(config.env().name(), "/", folder.empty() ? config.env().name() : folder));
}

// Trials are the epochs of a search. A resumed search reports all of them again.
std::vector<std::unique_ptr<ReportSink>> Sinks(const Config& config, bool resume,
                                               Cluster* cluster) {
  class ToCluster : public ReportSink {
   public:
    explicit ToCluster(Cluster& cluster) : cluster_(cluster) {}
    void Write(const Report& report) override { cluster_.Publish(report.epoch, report.values); }

   private:
    Cluster& cluster_;
  };

  std::vector<std::unique_ptr<ReportSink>> sinks;
  if (config.run().tensorboard()) {
    sinks.push_back(std::make_unique<TensorBoardSink>(
        config.run().dir(), resume ? std::optional<int64_t>(0) : std::nullopt));
  }
  if (cluster != nullptr && config.ray().metrics()) {
    sinks.push_back(std::make_unique<ToCluster>(*cluster));
  }
  return sinks;
}

std::string ClusterText(const Cluster::Info& info, const ClusterTrialRunner::Share& share) {
  return Cat("Ray at ", info.address, ": ", FormatCounted(info.nodes, "node"), ", ",
             FormatSignificant(info.cpus, 4), " CPUs, ", FormatSignificant(share.cpus, 4),
             " for each training",
             info.dashboard.empty() ? "" : Cat("; dashboard ", info.dashboard));
}

// A search that completed its trainings while being interrupted counts as finished.
void EndIfInterrupted(const SearchRun& search, const Config& config) {
  const size_t wanted = config.search().workflows();
  if (Interrupted() && search.trials().size() < wanted) throw Interruption();
}

void Search(const GivenFlags& given, const CommandHost& host, const Workflow* other) {
  const RunArguments line = ReadRunArguments(given, kDefaultSearch);
  // Trainings on other machines must not need files of this one.
  Config config = CarryingFiles(line.config);
  const EnvSpec spec = SpecOf(config.env());
  // Reports a goal that the task does not have before a folder is created.
  EarlyStop(config.train().early_stop(), spec);
  const Workflow& workflow = other == nullptr ? WorkflowOf(config.env()) : *other;
  const std::vector<std::string> items = workflow.order_items(config);
  const Orders orders(items.size());
  const std::string why_runner = line.dry_run ? "" : ChooseRunner(host, &config);
  if (!why_runner.empty()) std::cout << why_runner << std::endl;
  const bool on_ray = config.run().runner() == RunConfig::RAY && !line.dry_run;
  const std::unique_ptr<Cluster> cluster = on_ray ? Open(host, config) : nullptr;
  Resources resources = ThisMachine();
  if (cluster) resources = {cluster->info().cpus, cluster->info().memory_bytes};
  Settle(spec, resources, &config);
  if (line.dry_run) return DryRun(config, spec, items);

  if (line.resume) ExpectSameSearch(line, config);
  const RunFolder folder(config, line.resume);
  // A search has no checkpoints of its own; its trainings do.
  fs::remove(folder.checkpoints());
  config.mutable_run()->set_dir(folder.path());
  WriteFileAtomically(folder.config_file(), DumpYaml(config));
  CatchInterruptions("--resume repeats the trainings under way");

  SearchRun search(config, folder.path(), items, std::cout);
  std::cout << "Searching among " << FormatCount(orders.count()) << " workflows of "
            << config.env().name() << ": " << FormatCount(config.search().workflows())
            << " trainings, " << config.search().parallel() << " at a time, in " << folder.path()
            << std::endl;
  const auto sinks = Sinks(config, line.resume, cluster.get());
  if (!cluster) {
    LocalTrialRunner runner(TrialConfigs(WithThreads(config), orders, workflow));
    search.Run(runner, Interrupted, sinks);
    EndIfInterrupted(search, config);
    return ShowPage(host, folder.path());
  }
  const auto share =
      ClusterTrialRunner::ShareOf(config, cluster->info(), config.search().parallel());
  std::cout << ClusterText(cluster->info(), share) << std::endl;
  ClusterTrialRunner runner(*cluster, share, TrialConfigs(config, orders, workflow),
                            [](const std::string& text) { std::cout << text << std::endl; });
  search.Run(runner, Interrupted, sinks);
  EndIfInterrupted(search, config);
  ShowPage(host, folder.path());
}

std::vector<Flag> SearchFlags() {
  using enum FlagForm;
  return {
      ConfigFlag(kDefaultSearch),
      kSetFlag,
      {.name = "workflows", .value = "N", .path = "search.workflows"},
      {.name = "parallel", .value = "N", .path = "search.parallel"},
      {.name = "strategy", .path = "search.strategy"},
      {.name = "runner",
       .path = "run.runner",
       .help = "local: trainings are threads of this process; ray: actors on a Ray cluster; auto: "
               "ray if a cluster is named or running on this machine, else local"},
      {.name = "run-dir",
       .form = kPath,
       .value = "DIR",
       .path = "run.dir",
       .help = "Folder of the search (empty: runs/<environment>-<date>-<time>)",
       .aliases = {"output-dir"}},
      {.name = "resume",
       .form = kOptionalPath,
       .value = "[DIR]",
       .help = "Resume the search in this folder (without a value: in --run-dir)"},
      {.name = "seed",
       .value = "N",
       .path = "train.seed",
       .help = "Seed of the search; the k-th training of every order uses the same derived seed"},
      EpisodesFlag("Each training stops after this many episodes over all environments"),
      {.name = "epochs",
       .value = "N",
       .path = "train.epochs",
       .help = "Each training stops after this many epochs"},
      kNumEnvsFlag,
      kDeviceFlag,
      {.name = "dry-run",
       .form = kSwitch,
       .help = "Print the resolved settings and the first workflows, and exit"},
      kHelpFlag,
  };
}

}  // namespace

Command SearchCommand(const CommandHost& host, const Workflow* workflow) {
  return {
      .name = "search",
      .intro =
          "Searches for the best workflow of a task: trains policies for different orders of its "
          "parts,\nchooses each order from the results so far, and reports whether the order "
          "matters at all.\n"
          "Settings: the YAML file, overridden by --set, overridden by the flags below.\n",
      .examples =
          "  search --config cage2_workflow --run-dir runs/workflows\n"
          "  search --config cage2_workflow --workflows 40 --parallel 4 --runner local\n"
          "  search --resume runs/workflows --workflows 60\n",
      .settings = Config::descriptor(),
      .flags = SearchFlags(),
      .body = [host, workflow](const GivenFlags& given) { Search(given, host, workflow); },
      .preset = kDefaultSearch};
}

namespace commands {
Command search(const CommandHost& host) { return SearchCommand(host, nullptr); }
}  // namespace commands

}  // namespace dray
