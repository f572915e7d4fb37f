#include "src/commands/search_command.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/envs/cartpole/cartpole.pb.h"
#include "tests/cluster/in_process_cluster.h"

namespace dray {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

// CartPole with made-up workflows: the later "c" comes, the longer an episode may be.
const Workflow kMadeUp = {
    .order_items =
        [](const Config&) {
          return std::vector<std::string>{"a", "b", "c"};
        },
    .set_order =
        [](Config& config, std::span<const int> order) {
          const auto place = static_cast<int>(std::ranges::find(order, 2) - order.begin());
          config.mutable_env()->MutableExtension(cartpole)->set_max_steps(5 + 2 * place);
        },
};

class SearchCommandTest : public testing::Test {
 protected:
  SearchCommandTest()
      : folder_(Cat(testing::TempDir(), "/",
                    testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(Config()) << R"(
env: {name: cartpole}
train: {epochs: 2, rollout_steps: 32}
scale: {num_envs: 4, envs_per_shard: 2}
network: {hidden: [8]}
evaluation: {episodes: 1}
run: {runner: local, device: cpu}
search: {workflows: 4, parallel: 2, warm_start: nearest}
)";
  }

  std::string Config() const { return folder_ + "/config.yaml"; }

  // What it prints.
  std::string Search(std::vector<std::string> arguments, const Workflow* workflow = &kMadeUp) {
    const auto open = [](const std::string&) -> std::unique_ptr<Cluster> {
      Cluster::Info info;
      info.cpus = info.free_cpus = 2;
      return std::make_unique<InProcessCluster>(info);
    };
    testing::internal::CaptureStdout();
    try {
      dray::Run(
          SearchCommand({.open_cluster = open, .find_cluster = {}, .make_page = {}}, workflow),
          arguments);
    } catch (...) {
      testing::internal::GetCapturedStdout();
      throw;
    }
    return testing::internal::GetCapturedStdout();
  }

  std::string Fails(const std::vector<std::string>& arguments,
                    const Workflow* workflow = &kMadeUp) {
    try {
      Search(arguments, workflow);
    } catch (const Error& error) {
      return error.what();
    }
    return "it did not fail";
  }

  // What was found, without what depends on the clock: the rows of search.csv less their last cell.
  std::string Found(const std::string& run) const {
    std::string text = ReadFile(run + "/search.csv"), kept;
    for (size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1) {
      kept += text.substr(begin, text.rfind(',', text.find('\n', begin)) - begin) + "\n";
    }
    return kept;
  }

  std::string folder_;
};

TEST_F(SearchCommandTest, FindsTheBestOfAllOrders) {
  const std::string run = folder_ + "/run";
  const std::string output = Search({"--config", Config(), "--run-dir", run, "--workflows", "6"});
  EXPECT_THAT(output,
              AllOf(HasSubstr("Searching among 6 workflows of cartpole: 6 trainings"),
                    HasSubstr("[6/6] trial "),
                    ContainsRegex("\nBest: [ab] > [ab] > c: [89]\\.[0-9] .*95 % interval, ")));
  for (const char* file : {"config.yaml", "trials.jsonl", "search.csv", "orders.csv", "report.md",
                           "workflow-001/train.log", "workflow-006/checkpoints"}) {
    EXPECT_TRUE(fs::exists(run + "/" + file)) << file;
  }
  EXPECT_FALSE(fs::exists(run + "/checkpoints"));
}

TEST_F(SearchCommandTest, GivesTheSameOnAClusterAsInThisProcess) {
  Search({"--config", Config(), "--run-dir", folder_ + "/local"});
  const std::string output =
      Search({"--config", Config(), "--run-dir", folder_ + "/ray", "--runner", "ray"});
  EXPECT_THAT(output, HasSubstr("1 for each training"));
  EXPECT_EQ(Found(folder_ + "/ray"), Found(folder_ + "/local"));
}

TEST_F(SearchCommandTest, IsLocalWithoutAClusterAndStaysSo) {
  const std::string run = folder_ + "/run";
  const std::string output = Search({"--config", Config(), "--run-dir", run, "--runner", "auto"});
  EXPECT_THAT(output, HasSubstr("runner: local, because no Ray cluster is named or running"));
  EXPECT_THAT(ReadFile(run + "/config.yaml"), HasSubstr("runner: local"));
}

TEST_F(SearchCommandTest, GoesOnWhereItStopped) {
  const std::string run = folder_ + "/run";
  Search({"--config", Config(), "--run-dir", folder_ + "/whole"});
  Search({"--config", Config(), "--run-dir", run, "--workflows", "3"});
  const std::string output = Search({"--resume", run, "--workflows", "4"});
  EXPECT_THAT(output, AllOf(HasSubstr("Resuming after 3 finished trainings"),
                            Not(HasSubstr("[3/4]")), HasSubstr("[4/4] trial 4")));
  EXPECT_EQ(Found(run), Found(folder_ + "/whole"));
}

TEST_F(SearchCommandTest, RefusesToGoOnWithOtherSettings) {
  const std::string run = folder_ + "/run";
  Search({"--config", Config(), "--run-dir", run, "--workflows", "1"});
  EXPECT_THAT(
      Fails({"--resume", run, "--set", "ppo.gamma=0.5"}),
      HasSubstr("--set ppo.gamma=0.5: ppo.gamma changed since the search began, from 0.99 to "
                "0.5"));
  EXPECT_THAT(Fails({"--resume", run, "--parallel", "1"}), HasSubstr("search.parallel changed"));
  EXPECT_THAT(Fails({"--resume", run, "--seed", "9"}), HasSubstr("train.seed changed"));
}

TEST_F(SearchCommandTest, SaysInOneLineWhatIsWrong) {
  const std::string run = folder_ + "/run";
  EXPECT_THAT(Fails({"--config", Config()}, /*workflow=*/nullptr),
              HasSubstr("cartpole: this task has no workflows"));
  EXPECT_THAT(Fails({"--config", Config(), "--workflow", "3"}),
              HasSubstr("--workflow: unknown flag; did you mean --workflows?"));
  EXPECT_THAT(Fails({"--config", Config(), "--workflows", "0"}), HasSubstr("out of range"));
  EXPECT_THAT(Fails({"--config", Config(), "--parallel", "many"}), HasSubstr("--parallel many"));
  EXPECT_THAT(Fails({"--config", Config(), "--strategy", "greedy"}), HasSubstr("gp_ucb"));
  EXPECT_THAT(Fails({"--config", Config(), "--set", "env.name=nothing"}), HasSubstr("nothing"));
  EXPECT_THAT(Fails({"--resume", run}), HasSubstr("there is no"));
  const std::string training = folder_ + "/training";
  fs::create_directories(training);
  fs::copy_file(Config(), training + "/config.yaml");
  EXPECT_THAT(Fails({"--resume", training}), HasSubstr("it is not a search folder"));
  Search({"--config", Config(), "--run-dir", run, "--workflows", "1"});
  EXPECT_THAT(Fails({"--config", Config(), "--run-dir", run}), HasSubstr("already holds a run"));
}

TEST_F(SearchCommandTest, ADryRunTrainsNothing) {
  const std::string run = folder_ + "/run";
  EXPECT_THAT(Search({"--config", Config(), "--run-dir", run, "--dry-run"}),
              AllOf(HasSubstr("6 workflows, of which 4 trainings as above, 2 at a time"),
                    ContainsRegex("first         [abc] > [abc] > [abc]")));
  EXPECT_FALSE(fs::exists(run));
}

TEST_F(SearchCommandTest, AutoIsOneTrainingPerCpu) {
  EXPECT_THAT(Search({"--config", Config(), "--run-dir", folder_ + "/run", "--runner", "ray",
                      "--parallel", "auto", "--workflows", "2"}),
              HasSubstr("2 trainings, 2 at a time"));
}

}  // namespace
}  // namespace dray
