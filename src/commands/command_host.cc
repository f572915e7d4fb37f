#include "src/commands/command_host.h"

#include <iostream>

#include "src/base/error.h"
#include "src/base/installation.h"

namespace dray {

std::string ChooseRunner(const CommandHost& host, Config* config) {
  if (config->run().runner() != RunConfig::AUTO) return "";
  const std::string reason = host.find_cluster ? host.find_cluster() : "";
  config->mutable_run()->set_runner(reason.empty() ? RunConfig::LOCAL : RunConfig::RAY);
  return reason.empty()
             ? "runner: local, because no Ray cluster is named or running on this "
               "machine; --runner ray starts one"
             : Cat("runner: ray, because ", reason, "; --runner local trains in this process");
}

void ShowPage(const CommandHost& host, const std::string& run_folder) {
  if (!host.make_page) return;
  std::string last;
  try {
    last = host.make_page(run_folder);
  } catch (const Error& error) {
    last = Cat("no page was made (", error.what(), "); ", CommandLine("report"), " --run-dir ",
               ShellWord(run_folder), " makes it");
  }
  std::cout << last << std::endl;
}

}  // namespace dray
