#include "src/commands/command_host.h"

#include <iostream>

#include "src/base/error.h"
#include "src/base/installation.h"

namespace dray {

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
