#include <filesystem>
#include <fstream>
#include <iostream>

#include "src/base/error.h"
#include "src/config/command.h"
#include "src/config/overrides.h"
#include "src/config/user_path.h"
#include "src/config/yaml_loader.h"
#include "src/envs/dvrptw/serving/request_lines.h"
#include "src/nets/checkpoint_file.h"

namespace dray {
namespace {

FoundCheckpoint FindPolicy(const GivenFlags& given) {
  if (given.Has("pretrained")) return FindCheckpoint(FindPretrained(given.Text("pretrained")));
  if (given.Has("run-dir")) return FindCheckpoint(UserPath(given.Text("run-dir")));
  throw UsageError(
      "serve: no policy given; use --run-dir runs/NAME (a run of the delivery task) or "
      "--pretrained dvrptw_best");
}

Config SettingsOf(const SectionReader& sections, const std::string& path, const GivenFlags& given) {
  Config config;
  LoadYamlText(std::string(sections.Bytes("config")), path, &config);
  for (const Override& override : given.overrides()) ApplyOverride(override, &config);
  if (config.env().name() != "dvrptw") {
    throw UsageError(path, ": was trained on ", config.env().name(),
                     "; serve needs a policy of the task dvrptw");
  }
  return config;
}

// Opens the file of requests. A folder opens as well, but reads as if it were empty.
std::ifstream OpenRequests(const std::string& path) {
  std::ifstream in(path);
  if (!in || std::filesystem::is_directory(path)) {
    throw UsageError("--requests ", path,
                     ": cannot be read; name a file of requests, or - for "
                     "standard input");
  }
  return in;
}

void ServeCommand(const GivenFlags& given) {
  const FoundCheckpoint found = FindPolicy(given);
  const SectionReader sections = found.file.Sections();
  dvrptw::Desk desk(SettingsOf(sections, found.file.path, given), sections.Bytes("weights"),
                    sections.Bytes("side_model"));
  for (const std::string& note : desk.world().notes) std::cerr << "dray: " << note << "\n";
  dvrptw::RequestLines lines(&desk);
  const std::string file = given.Text("requests");
  if (file.empty() || file == "-") return lines.AnswerAll(std::cin, std::cout);
  std::ifstream in = OpenRequests(UserPath(file));
  lines.AnswerAll(in, std::cout);
}

}  // namespace

namespace commands {
Command serve() {
  using enum FlagForm;
  return {
      .name = "serve",
      .intro =
          "Answers riders of the delivery task one by one: a line of JSON in, a line of JSON "
          "out.\n"
          "  {\"rider\": 3, \"origin\": 12, \"destination\": 40, \"pickup_early\": \"09:00\",\n"
          "   \"pickup_late\": \"09:15\", \"dropoff_early\": \"09:20\", \"dropoff_late\": "
          "\"09:45\"}\n"
          "is answered with the shift to propose, and with each shift's probability and the\n"
          "minutes it adds to the plan. Then\n"
          "  {\"agrees\": true}        or false: the rider's answer; returns the plan\n"
          "  {\"new_day\": true}       starts a new day\n"
          "A request may contain \"agrees\" itself. Name riders and places as in your files;\n"
          "without names, use numbers from 0. A line has at most 1 MiB and 32 levels of nesting.\n",
      .examples =
          "  serve --pretrained dvrptw_best < day.jsonl\n"
          "  serve --run-dir runs/first --requests day.jsonl\n",
      .settings = Config::descriptor(),
      .flags = {{.name = "run-dir",
                 .form = kPath,
                 .value = "DIR",
                 .help = "Folder of the run whose policy answers, or a checkpoint's file"},
                {.name = "pretrained",
                 .form = kText,
                 .value = "NAME",
                 .help = "Policy shipped with Dray, instead of a run's, such as dvrptw_best"},
                {.name = "requests",
                 .form = kText,
                 .value = "FILE",
                 .help = "File to read requests from [default: standard input]"},
                kSetFlag,
                kHelpFlag},
      .body = ServeCommand};
}
}  // namespace commands

}  // namespace dray
