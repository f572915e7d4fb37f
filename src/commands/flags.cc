#include "src/commands/flags.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "src/base/error.h"
#include "src/config/config.pb.h"
#include "src/config/fields.h"

namespace dray {
namespace {

using google::protobuf::FieldDescriptor;

const Flag kSetFlag = {"set",
                       {},
                       FlagForm::kSet,
                       "KEY=VALUE",
                       "",
                       {},
                       "Any setting of configs/REFERENCE.md; may be repeated"};
const Flag kHelpFlag = {"help", {"h"}, FlagForm::kSwitch, "", "", {}, "Print this and stop"};

std::vector<Flag> TrainFlags() {
  using enum FlagForm;
  return {
      {"config",
       {},
       kPath,
       "FILE",
       "",
       {},
       Cat("YAML file of settings, or the bare name of one in configs/ [default: ", kDefaultConfig,
           "]")},
      kSetFlag,
      {"runner", {}, kYaml, "", "run.runner", {}, ""},
      {"run-dir", {"checkpoint-dir", "output-dir"}, kPath, "DIR", "run.dir", {}, ""},
      {"resume",
       {},
       kOptionalPath,
       "[DIR]",
       "",
       {},
       "Go on from the newest checkpoint of this run folder (alone: of --run-dir)"},
      {"seed", {}, kYaml, "N", "train.seed", {}, ""},
      {"num-envs", {"n-envs"}, kYaml, "N", "scale.num_envs", {"scale.num_envs_per_worker"}, ""},
      {"num-workers", {}, kYaml, "N", "scale.num_workers", {}, ""},
      {"num-envs-per-worker", {}, kYaml, "N", "scale.num_envs_per_worker", {}, ""},
      {"episodes",
       {"num-episodes"},
       kYaml,
       "N",
       "train.episodes",
       {"train.epochs", "train.total_steps"},
       ""},
      {"epochs", {}, kYaml, "N", "train.epochs", {}, ""},
      {"total-steps", {}, kYaml, "N", "train.total_steps", {"train.epochs"}, ""},
      {"duration",
       {},
       kDuration,
       "TIME",
       "train.duration_s",
       {},
       "Also stop after this time: 30s, 5m, 2h; a bare number is hours [default: no such limit]"},
      {"customers",
       {},
       kYaml,
       "N",
       "env.<env>.num_customers",
       {},
       "Customers per episode, for environments that have them"},
      {"learning-rate", {}, kYaml, "X", "ppo.learning_rate", {}, ""},
      {"device", {}, kYaml, "", "run.device", {}, ""},
      {"save-interval", {}, kYaml, "N", "run.save_interval", {}, ""},
      {"log-interval", {}, kYaml, "N", "run.log_interval", {}, ""},
      {"dry-run",
       {},
       kSwitch,
       "",
       "",
       {},
       "Print the resolved settings and what the run would take, and stop"},
      kHelpFlag,
  };
}

std::vector<Flag> SearchFlags() {
  using enum FlagForm;
  return {
      {"config",
       {},
       kPath,
       "FILE",
       "",
       {},
       Cat("YAML file of settings, or the bare name of one in configs/ [default: ",
           kDefaultSearchConfig, "]")},
      kSetFlag,
      {"workflows", {}, kYaml, "N", "search.workflows", {}, ""},
      {"parallel", {}, kYaml, "N", "search.parallel", {}, ""},
      {"strategy", {}, kYaml, "", "search.strategy", {}, ""},
      {"runner",
       {},
       kYaml,
       "",
       "run.runner",
       {},
       "local: trainings are threads of this process; ray: actors on a Ray cluster"},
      {"run-dir",
       {"output-dir"},
       kPath,
       "DIR",
       "run.dir",
       {},
       "Folder of the search (empty: runs/<environment>-<date>-<time>)"},
      {"resume",
       {},
       kOptionalPath,
       "[DIR]",
       "",
       {},
       "Go on with the search in this folder (alone: in --run-dir)"},
      {"seed",
       {},
       kYaml,
       "N",
       "train.seed",
       {},
       "Decides the search and, with its number, the seed of each training"},
      {"episodes",
       {"num-episodes"},
       kYaml,
       "N",
       "train.episodes",
       {"train.epochs", "train.total_steps"},
       "Each training stops after this many episodes over all environments"},
      {"epochs", {}, kYaml, "N", "train.epochs", {}, "Each training stops after this many epochs"},
      {"num-envs", {"n-envs"}, kYaml, "N", "scale.num_envs", {"scale.num_envs_per_worker"}, ""},
      {"device", {}, kYaml, "", "run.device", {}, ""},
      {"dry-run",
       {},
       kSwitch,
       "",
       "",
       {},
       "Print the resolved settings and the first workflows, and stop"},
      kHelpFlag,
  };
}

std::vector<Flag> EvaluateFlags() {
  using enum FlagForm;
  return {
      {"run-dir",
       {"checkpoint-dir", "output-dir"},
       kPath,
       "DIR",
       "run.dir",
       {},
       "Folder of the run to evaluate"},
      {"checkpoint",
       {},
       kPath,
       "FILE",
       "",
       {},
       "Checkpoint to evaluate [default: the newest of the run folder]"},
      kSetFlag,
      {"env", {}, kText, "NAME", "env.name", {}, "Environment, when not the one trained on"},
      {"policy",
       {},
       kText,
       "NAME",
       "",
       {},
       "cage2: play a scripted policy instead of a trained one: sleep, random, "
       "react_remove_restore, or actions:FILE (numbers 0 to 144, one for each step)"},
      {"red",
       {},
       kText,
       "AGENT",
       "env.<env>.red",
       {},
       "cage2: who attacks, bline, meander or sleep, or a mixture; all: each of them in turn, with "
       "the challenge's nine scores"},
      {"release", {}, kYaml, "head|leaderboard", "env.<env>.release", {}, "cage2: whose dynamics"},
      {"wrapper",
       {},
       kYaml,
       "stock|cardiff",
       "env.<env>.wrapper",
       {},
       "cage2: who reads the monitor"},
      {"green", {}, kYaml, "on|off", "env.<env>.green", {}, "cage2: users who raise false alarms"},
      {"episodes", {"num-episodes"}, kYaml, "N", "evaluation.episodes", {}, ""},
      {"seed", {}, kYaml, "N", "evaluation.seed", {}, ""},
      {"baselines",
       {},
       kText,
       "NAMES",
       "",
       {},
       "Deliveries: compare with simple policies on the same episodes, judged by an independent "
       "solver: all, or some of none, random, random_accepted, max_shift, myopic_hopeful, "
       "myopic_believed, myopic_true, hindsight, joined by commas"},
      {"config",
       {},
       kPath,
       "FILE",
       "",
       {},
       "With --baselines or --policy and no run: the settings to play under"},
      {"out",
       {},
       kPath,
       "DIR",
       "",
       {},
       "With --baselines: write evaluation.md and evaluation.json there"},
      {"render",
       {},
       kOptionalPath,
       "[DIR]",
       "",
       {},
       "Describe every step; with a folder and --baselines, draw the plan of an episode there"},
      {"episode", {}, kText, "N", "", {}, "Which episode to draw, from 1 [default: 1]"},
      {"json", {}, kSwitch, "", "", {}, "Print the result as one line of JSON"},
      kHelpFlag,
  };
}

const FieldDescriptor* FieldOf(const Flag& flag) {
  return flag.path.empty() ? nullptr : FindPath(*Config::descriptor(), flag.path);
}

std::string Usage(const Flag& flag) {
  std::string text = (flag.name == "help" ? "-h, --" : "--") + flag.name;
  if (flag.form == FlagForm::kSwitch) return text;
  if (!flag.value.empty()) return text + " " + flag.value;
  std::string choices;
  for (const std::string& choice : Choices(*FieldOf(flag)->enum_type())) {
    choices += (choices.empty() ? "" : "|") + choice;
  }
  return text + " " + choices;
}

// " epochs", but " epoch" of one.
std::string WithUnit(const std::string& value, std::string unit) {
  if (unit.empty()) return "";
  if (value == "1" && unit.size() > 1 && unit.back() == 's') unit.pop_back();
  return Cat(" ", unit);
}

std::string Meaning(const Flag& flag) {
  std::string text = flag.help;
  const FieldDescriptor* field = FieldOf(flag);
  if (text.empty()) {
    DRAY_CHECK(field != nullptr);
    const std::string& unit = RuleOf(*field).unit();
    const std::string value = DefaultText(*field);
    text = RuleOf(*field).doc();
    if (value != "\"\"") {
      text += Cat(" [default: ", value, WithUnit(value, unit), "]");
    }
  }
  std::string also;
  for (const std::string& alias : flag.aliases) {
    if (alias.size() > 1) also += Cat(also.empty() ? "" : ", ", "--", alias);
  }
  return also.empty() ? text : Cat(text, "; also ", also);
}

// Words of `text` in lines of at most `width`, those after the first indented.
std::string Wrapped(const std::string& text, size_t indent, size_t width) {
  std::string wrapped;
  size_t column = 0;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    if (column > 0 && column + 1 + end - begin > width) {
      wrapped += '\n';
      wrapped.append(indent, ' ');
      column = 0;
    } else if (column > 0) {
      wrapped += ' ';
      ++column;
    }
    wrapped.append(text, begin, end - begin);
    column += end - begin;
    begin = end + 1;
  }
  return wrapped;
}

constexpr char kTrainIntro[] =
    "Trains an agent with PPO over many parallel environments.\n"
    "Settings: the YAML file, overridden by --set, overridden by the flags below.\n";
constexpr char kTrainExamples[] =
    "  train --config cartpole --run-dir runs/first\n"
    "  train --config cartpole --num-envs 16 --total-steps 1000000 --set ppo.gamma=0.98\n"
    "  train --resume runs/first --duration 30m\n"
    "  train --config pendulum --dry-run\n";
constexpr char kEvaluateIntro[] =
    "Plays a trained agent's most likely actions for a number of episodes and reports the "
    "returns.\n";
constexpr char kEvaluateExamples[] =
    "  evaluate --run-dir runs/first\n"
    "  evaluate --run-dir runs/first --episodes 100 --seed 7 --json\n"
    "  evaluate --run-dir runs/first --episodes 1 --render\n";
constexpr char kSearchIntro[] =
    "Searches for the best workflow of a task: trains a policy for one order of its parts after "
    "another,\nchosen by what came of those before.\n"
    "Settings: the YAML file, overridden by --set, overridden by the flags below.\n";
constexpr char kSearchExamples[] =
    "  search --config cage2_workflow --run-dir runs/workflows\n"
    "  search --config cage2_workflow --workflows 40 --parallel 4 --runner local\n"
    "  search --resume runs/workflows --workflows 60\n";

struct CommandText {
  const char* name;
  const char* intro;
  const char* examples;
};

CommandText TextOf(Command command) {
  switch (command) {
    case Command::kTrain:
      return {"train", kTrainIntro, kTrainExamples};
    case Command::kEvaluate:
      return {"evaluate", kEvaluateIntro, kEvaluateExamples};
    case Command::kSearch:
      return {"search", kSearchIntro, kSearchExamples};
  }
  CheckFailed(__FILE__, __LINE__, "a known command", "");
}

}  // namespace

const std::vector<Flag>& FlagsOf(Command command) {
  static const std::vector<Flag> train = TrainFlags();
  static const std::vector<Flag> evaluate = EvaluateFlags();
  static const std::vector<Flag> search = SearchFlags();
  return command == Command::kTrain ? train : command == Command::kSearch ? search : evaluate;
}

const Flag* FindFlag(std::span<const Flag> flags, std::string_view name) {
  for (const Flag& flag : flags) {
    if (flag.name == name || std::ranges::count(flag.aliases, name) > 0) return &flag;
  }
  return nullptr;
}

double DurationSeconds(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const std::string_view unit(rest, static_cast<size_t>(end - rest));
  const double seconds = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" || unit == "" ? 3600 : 0;
  if (error != std::errc() || seconds == 0 || !std::isfinite(number) || number < 0) {
    throw UsageError("--duration ", text,
                     ": expected a time such as 30s, 5m or 2h (a bare number is hours)");
  }
  return number * seconds;
}

std::string HelpText(Command command) {
  const CommandText words = TextOf(command);
  size_t widest = 0;
  for (const Flag& flag : FlagsOf(command)) widest = std::max(widest, Usage(flag).size());
  std::string text =
      Cat("usage: ", words.name, " [--flag value | --flag=value] ...\n\n", words.intro, "\n");
  for (const Flag& flag : FlagsOf(command)) {
    std::string usage = Usage(flag);
    usage.resize(widest, ' ');
    text += Cat("  ", usage, "  ", Wrapped(Meaning(flag), widest + 4, 100 - widest - 4), "\n");
  }
  return Cat(text, "\nexamples:\n", words.examples);
}

}  // namespace dray
