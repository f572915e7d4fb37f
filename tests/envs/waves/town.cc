#include "tests/envs/waves/town.h"

#include <gtest/gtest.h>

#include "src/base/file.h"

namespace dray::waves {

std::shared_ptr<const Instance> Town() {
  Instance town = ParseInstance("town.txt", kTown);
  town.draws = kTownDraws;
  return std::make_shared<const Instance>(std::move(town));
}

std::string TownFile() {
  const std::string path = testing::TempDir() + "/town.txt";
  WriteFileAtomically(path, kTown);
  return path;
}

std::string TownWith(const std::string& from, const std::string& to) {
  std::string text = kTown;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

}  // namespace dray::waves
