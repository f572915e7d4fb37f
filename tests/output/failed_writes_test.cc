#include "src/output/failed_writes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "src/base/error.h"

namespace dray {
namespace {

using testing::ElementsAre;

void DiskIsFull() { throw Failure("the disk is full"); }
void Works() {}

TEST(FailedWrites, OneWarningForAsLongAsItFailsAndOneLineWhenItWorksAgain) {
  std::vector<std::string> said;
  FailedWrites writes([&](const std::string& line) { said.push_back(line); });
  EXPECT_TRUE(writes.Try("log", Works));
  EXPECT_FALSE(writes.Try("log", DiskIsFull));
  EXPECT_FALSE(writes.Try("log", DiskIsFull));
  EXPECT_TRUE(writes.Try("log", Works));
  EXPECT_TRUE(writes.Try("log", Works));
  EXPECT_EQ(writes.count(), 2);
  EXPECT_THAT(said, ElementsAre("Warning: the disk is full; the run continues and will try again",
                                "log: can be written again"));
}

TEST(FailedWrites, EveryPlaceHasItsOwnWarning) {
  std::vector<std::string> said;
  FailedWrites writes([&](const std::string& line) { said.push_back(line); });
  writes.Try("log", DiskIsFull);
  writes.Try("checkpoint", DiskIsFull, [] { return "the last one is kept"; });
  writes.Try("log", DiskIsFull);
  EXPECT_EQ(writes.count(), 3);
  EXPECT_THAT(said, ElementsAre("Warning: the disk is full; the run continues and will try again",
                                "Warning: the disk is full; the last one is kept"));
}

TEST(FailedWrites, WhatIsNoErrorOfTheMachineIsThrownOn) {
  FailedWrites writes([](const std::string&) {});
  EXPECT_THROW(writes.Try("log", [] { throw std::logic_error("a bug"); }), std::logic_error);
  EXPECT_EQ(writes.count(), 0);
}

}  // namespace
}  // namespace dray
