#include "src/loop/side_learner_thread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "src/base/bytes.h"
#include "src/base/error.h"

namespace dray {
namespace {

using testing::ElementsAre;

// Publishes what it was told, once it learned it. An update waits for permission.
class Gossip : public SideLearner {
 public:
  Gossip(bool synchronous, std::shared_future<void> permission = {})
      : synchronous_(synchronous), permission_(std::move(permission)) {}

  void Add(std::string_view samples) override {
    if (samples == "nonsense") throw Failure("this is nonsense");
    heard_ += samples;
  }
  std::vector<std::string> Update() override {
    if (permission_.valid()) permission_.wait();
    learned_ = heard_;
    return {"learned " + learned_};
  }
  std::string Publish() const override { return learned_; }
  bool synchronous() const override { return synchronous_; }
  int update_epochs() const override { return 3; }
  std::string Save() const override { return heard_ + "/" + learned_; }
  void Load(std::string_view state) override {
    const size_t at = state.find('/');
    if (at == std::string_view::npos) throw Failure("damaged");
    heard_ = state.substr(0, at);
    learned_ = state.substr(at + 1);
  }

 private:
  bool synchronous_;
  std::shared_future<void> permission_;
  std::string heard_;
  std::string learned_;
};

TEST(SideLearnerThread, SynchronousUpdatesAreDoneAtOnce) {
  SideLearnerThread side(std::make_unique<Gossip>(true));
  EXPECT_EQ(side.update_epochs(), 3);
  side.Add("a");
  EXPECT_EQ(*side.published(), "");
  side.Update();
  EXPECT_EQ(*side.published(), "a");
  EXPECT_THAT(side.TakeLines(), ElementsAre("learned a"));
  EXPECT_THAT(side.TakeLines(), ElementsAre());
}

TEST(SideLearnerThread, NobodyWaitsForAnUpdateAndItsStateBeforeIsSaved) {
  std::promise<void> permission;
  SideLearnerThread side(std::make_unique<Gossip>(false, permission.get_future().share()));
  side.Add("a");
  side.Update();
  side.Add("b");
  side.Update();  // one is under way: nothing is queued behind it
  EXPECT_EQ(*side.published(), "");
  const std::string saved = side.Save();

  SideLearnerThread copy(std::make_unique<Gossip>(true));
  copy.Load(saved);
  copy.Update();
  EXPECT_EQ(*copy.published(), "ab");

  permission.set_value();
  while (*side.published() != "a") std::this_thread::yield();
  while (side.TakeLines().empty()) std::this_thread::yield();
  side.Update();
  while (*side.published() != "ab") std::this_thread::yield();
}

TEST(SideLearnerThread, WhatWentWrongOverThereIsThrownHere) {
  for (const bool synchronous : {true, false}) {
    SideLearnerThread side(std::make_unique<Gossip>(synchronous));
    EXPECT_THROW(
        {
          side.Add("nonsense");
          side.Save();
          side.Add("a");
        },
        Error);
    EXPECT_THROW(side.Load("junk"), Error);
  }
}

}  // namespace
}  // namespace dray
