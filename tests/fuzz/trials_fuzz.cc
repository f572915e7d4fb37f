// trials.jsonl of a search, and what the search makes of its results.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "src/base/error.h"
#include "src/search/order_search.h"
#include "src/search/trial_log.h"
#include "tests/fuzz/target.h"

namespace dray::fuzz {
namespace {

// Of this process alone: several may fuzz at a time.
struct Folder {
  Folder() : path(Cat(std::filesystem::temp_directory_path().string(), "/trials-", ::getpid())) {
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string path;
};

}  // namespace

// Values of JSON, and a covariance of the orders.
size_t MostMemory(size_t bytes) { return Times(200, bytes) + (1 << 20); }

void Read(std::string_view bytes) {
  static const Folder folder;
  std::ofstream(folder.path + "/trials.jsonl", std::ios::binary) << bytes;
  const TrialLog log(folder.path);
  OrderSearch search(SearchConfig(), /*items=*/3, /*seed=*/1);
  for (const auto& [number, one] : log.trials()) search.Tell(one.trial.order % 6, one.result);
  search.Next(2);
  search.Believed();
}

}  // namespace dray::fuzz
