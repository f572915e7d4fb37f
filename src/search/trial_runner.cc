#include "src/search/trial_runner.h"

#include <cstdio>

namespace dray {

std::string TrialFolderName(int number) {
  char name[32];
  std::snprintf(name, sizeof(name), "workflow-%03d", number);
  return name;
}

}  // namespace dray
