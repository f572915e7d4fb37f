#include "src/loop/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/base/file.h"

namespace dray {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

Checkpoint At(int64_t epoch) {
  Checkpoint checkpoint;
  checkpoint.epoch = epoch;
  checkpoint.elapsed_s = 12.5;
  checkpoint.best_return = -3.25;
  checkpoint.config_yaml = "train:\n  seed: 7\n";
  checkpoint.loop = std::string("lo\0p", 4);
  checkpoint.learner = std::string(100, '\x7f');
  checkpoint.weights = "weights";
  checkpoint.episodes = "";
  checkpoint.shards = {"first", "", "third"};
  return checkpoint;
}

// What reading the bytes as the file "some.ckpt" says; empty when it works.
std::string ErrorOf(std::string_view bytes) {
  try {
    Checkpoint::FromBytes(bytes, "some.ckpt");
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 1);
    return error.what();
  }
}

TEST(Checkpoint, WhatIsReadIsWhatWasWritten) {
  Checkpoint written = At(50);
  written.best_epoch = 40;
  const Checkpoint read = Checkpoint::FromBytes(written.ToBytes(), "some.ckpt");
  EXPECT_EQ(read.epoch, 50);
  EXPECT_EQ(read.elapsed_s, 12.5);
  EXPECT_EQ(read.best_return, -3.25);
  EXPECT_EQ(read.config_yaml, written.config_yaml);
  EXPECT_EQ(read.loop, written.loop);
  EXPECT_EQ(read.learner, written.learner);
  EXPECT_EQ(read.weights, written.weights);
  EXPECT_EQ(read.episodes, written.episodes);
  EXPECT_EQ(read.shards, written.shards);
  EXPECT_EQ(read.best_epoch, 40);
  EXPECT_EQ(read.ToBytes(), written.ToBytes());
}

// Runs of earlier versions must resume, and earlier versions must load what this one writes.
TEST(Checkpoint, TheBytesAreThoseOfEarlierVersions) {
  Checkpoint checkpoint = At(50);
  checkpoint.side_learner = "side learner";
  checkpoint.side_model = "side model";
  checkpoint.best_epoch = 40;
  ByteWriter body;
  body.Put<int64_t>(50);
  body.Put<double>(12.5);
  body.Put<double>(-3.25);
  for (const std::string& part :
       {checkpoint.config_yaml, checkpoint.loop, checkpoint.learner, checkpoint.weights,
        checkpoint.episodes, checkpoint.side_learner, checkpoint.side_model}) {
    body.PutString(part);
  }
  body.Put<uint64_t>(3);
  for (const std::string& shard : checkpoint.shards) body.PutString(shard);
  body.Put<int64_t>(40);
  ByteWriter header;
  header.Put<uint64_t>(body.bytes().size());
  header.Put<uint32_t>(Crc32c(body.bytes()));
  EXPECT_EQ(checkpoint.ToBytes(), "DRAYCKP2" + header.bytes() + body.bytes());
}

TEST(Checkpoint, OneWithoutTheEpochOfTheBestIsRead) {
  const std::string bytes = At(50).ToBytes();
  constexpr size_t kHeader = 8 + 8 + 4;
  const std::string body = bytes.substr(kHeader, bytes.size() - kHeader - sizeof(int64_t));
  ByteWriter older;
  older.Put<uint64_t>(body.size());
  older.Put<uint32_t>(Crc32c(body));
  const Checkpoint read =
      Checkpoint::FromBytes(bytes.substr(0, 8) + older.bytes() + body, "some.ckpt");
  EXPECT_EQ(read.epoch, 50);
  EXPECT_EQ(read.best_epoch, 0);
}

TEST(Checkpoint, EveryTruncationIsAnErrorThatNamesTheFile) {
  const std::string bytes = At(1).ToBytes();
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THAT(ErrorOf(bytes.substr(0, size)), HasSubstr("some.ckpt")) << size;
  }
  EXPECT_THAT(ErrorOf(bytes + "x"), HasSubstr("some.ckpt"));
}

TEST(Checkpoint, EveryFlippedBitIsAnErrorThatNamesTheFile) {
  const std::string bytes = At(1).ToBytes();
  ASSERT_FALSE(bytes.empty());
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_THAT(ErrorOf(damaged), HasSubstr("some.ckpt")) << "bit " << bit;
  }
}

TEST(Checkpoint, AForeignFileIsAnErrorThatSaysWhatToGive) {
  for (const char* foreign : {"", "PK\x03\x04 a zip file", "train:\n  seed: 7\n"}) {
    EXPECT_EQ(ErrorOf(foreign),
              "some.ckpt is not a Dray checkpoint; give one from a run's checkpoints folder");
  }
}

class CheckpointStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
      names.push_back(entry.path().filename().string());
    return names;
  }
  void Damage(const std::string& name) { WriteFileAtomically(folder + "/" + name, "DRAYCKP2junk"); }
  std::string LoadError() const {
    try {
      store.LoadNewest();
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }

  const std::string folder = testing::TempDir() + "/checkpoint_test";
  CheckpointStore store{folder, {.keep = 2, .milestone_interval = 0}};
};

TEST_F(CheckpointStoreTest, TheNewestNAreKept) {
  for (const int epoch : {5, 10, 15, 20}) store.SaveNumbered(At(epoch));
  EXPECT_THAT(Files(), UnorderedElementsAre("epoch_00000015.ckpt", "epoch_00000020.ckpt"));
  EXPECT_EQ(store.LoadNewest().checkpoint.epoch, 20);
}

TEST_F(CheckpointStoreTest, MilestonesAreKeptForGood) {
  CheckpointStore with_milestones(folder, {.keep = 1, .milestone_interval = 10});
  for (const int epoch : {5, 10, 15, 20, 25}) with_milestones.SaveNumbered(At(epoch));
  EXPECT_THAT(Files(), UnorderedElementsAre("epoch_00000010.ckpt", "epoch_00000020.ckpt",
                                            "epoch_00000025.ckpt"));
}

TEST_F(CheckpointStoreTest, TheBestIsKeptBesideTheNewest) {
  store.SaveBest(At(1));
  for (const int epoch : {5, 10, 15}) store.SaveNumbered(At(epoch));
  EXPECT_THAT(Files(),
              UnorderedElementsAre("best.ckpt", "epoch_00000010.ckpt", "epoch_00000015.ckpt"));
  EXPECT_EQ(CheckpointStore::LoadFile(folder + "/best.ckpt").epoch, 1);
  store.SaveBest(At(12));
  EXPECT_EQ(CheckpointStore::LoadFile(folder + "/best.ckpt").epoch, 12);
}

TEST_F(CheckpointStoreTest, EpochsBeyondEightDigitsAreStillInOrder) {
  store.SaveNumbered(At(99999999));
  store.SaveNumbered(At(100000000));
  EXPECT_EQ(store.LoadNewest().checkpoint.epoch, 100000000);
}

TEST_F(CheckpointStoreTest, ANewerRecoveryCheckpointIsTheNewest) {
  store.SaveNumbered(At(10));
  store.SaveRecovery(At(13));
  const CheckpointStore::Found found = store.LoadNewest();
  EXPECT_EQ(found.checkpoint.epoch, 13);
  EXPECT_EQ(found.path, folder + "/recovery.ckpt");
  EXPECT_THAT(found.damaged, IsEmpty());
}

TEST_F(CheckpointStoreTest, AnOlderRecoveryCheckpointIsNot) {
  store.SaveNumbered(At(20));
  store.SaveRecovery(At(13));
  EXPECT_EQ(store.LoadNewest().path, folder + "/epoch_00000020.ckpt");
}

TEST_F(CheckpointStoreTest, ANumberedCheckpointReplacesTheRecoveryCheckpoint) {
  store.SaveRecovery(At(13));
  EXPECT_FALSE(store.empty());
  store.SaveNumbered(At(20));
  EXPECT_THAT(Files(), ElementsAre("epoch_00000020.ckpt"));
}

TEST_F(CheckpointStoreTest, ADamagedNewestIsPassedOverWithTheReason) {
  store.SaveNumbered(At(10));
  store.SaveNumbered(At(20));
  Damage("epoch_00000020.ckpt");
  const CheckpointStore::Found found = store.LoadNewest();
  EXPECT_EQ(found.checkpoint.epoch, 10);
  EXPECT_THAT(found.damaged, ElementsAre(HasSubstr(folder + "/epoch_00000020.ckpt is truncated")));
}

TEST_F(CheckpointStoreTest, ADamagedRecoveryCheckpointIsPassedOverWithTheReason) {
  store.SaveNumbered(At(10));
  Damage("recovery.ckpt");
  const CheckpointStore::Found found = store.LoadNewest();
  EXPECT_EQ(found.checkpoint.epoch, 10);
  EXPECT_THAT(found.damaged, ElementsAre(HasSubstr(folder + "/recovery.ckpt is truncated")));
}

TEST_F(CheckpointStoreTest, NoGoodCheckpointIsAnErrorWithReasonAndRemedy) {
  Damage("epoch_00000010.ckpt");
  Damage("epoch_00000020.ckpt");
  EXPECT_THAT(LoadError(), HasSubstr("no good checkpoint in " + folder));
  EXPECT_THAT(LoadError(), HasSubstr("epoch_00000020.ckpt is truncated"));
  EXPECT_THAT(LoadError(), HasSubstr("and 1 more): start a new run in another --run-dir"));
}

TEST_F(CheckpointStoreTest, AnEmptyOrMissingFolderIsAnErrorWithTheRemedy) {
  EXPECT_TRUE(store.empty());
  EXPECT_EQ(LoadError(), "no checkpoint in " + folder + ": start the run without --resume");
  fs::remove_all(folder);
  EXPECT_TRUE(store.empty());
  EXPECT_EQ(LoadError(), "no checkpoint in " + folder + ": start the run without --resume");
}

TEST_F(CheckpointStoreTest, FilesThatAreNoCheckpointsAreLeftAlone) {
  for (const char* name : {"epoch_00000099.ckpt.tmp", "recovery.ckpt.tmp", "epoch_.ckpt",
                           "epoch_12a.ckpt", "notes.txt"}) {
    Damage(name);
  }
  EXPECT_TRUE(store.empty());
  for (const int epoch : {5, 10, 15}) store.SaveNumbered(At(epoch));
  const CheckpointStore::Found found = store.LoadNewest();
  EXPECT_EQ(found.checkpoint.epoch, 15);
  EXPECT_THAT(found.damaged, IsEmpty());
  EXPECT_EQ(Files().size(), 5u + 2u);
}

TEST_F(CheckpointStoreTest, AFolderThatCannotBeWrittenIsAnErrorAndKeepsTheOld) {
  CheckpointStore nowhere("/proc/checkpoints", {});
  EXPECT_THROW(nowhere.SaveNumbered(At(1)), Error);
  EXPECT_THROW(nowhere.SaveRecovery(At(1)), Error);
}

TEST_F(CheckpointStoreTest, OneThatCannotBeUsedIsPassedOverAsADamagedOne) {
  store.SaveNumbered(At(10));
  store.SaveNumbered(At(20));
  const CheckpointStore::Found found = store.LoadNewest([](const Checkpoint& checkpoint) {
    if (checkpoint.epoch == 20) throw Failure("its parts do not agree");
  });
  EXPECT_EQ(found.checkpoint.epoch, 10);
  EXPECT_THAT(found.damaged, ElementsAre(folder + "/epoch_00000020.ckpt is damaged: its parts do "
                                                  "not agree"));
}

TEST_F(CheckpointStoreTest, WrongUsageIsNoDamage) {
  store.SaveNumbered(At(10));
  store.SaveNumbered(At(20));
  EXPECT_THROW(store.LoadNewest([](const Checkpoint&) { throw UsageError("set it back"); }), Error);
}

// As At, of a run whose best evaluation was then.
Checkpoint At(int64_t epoch, int64_t best_epoch) {
  Checkpoint checkpoint = At(epoch);
  checkpoint.best_epoch = best_epoch;
  return checkpoint;
}

TEST_F(CheckpointStoreTest, RepairMakesTheNewestTheBestWhenItsSaveWasCutShort) {
  store.SaveNumbered(At(10, 10));
  store.SaveBest(At(10, 10));
  store.SaveNumbered(At(20, 20));
  store.Repair(store.LoadNewest());
  EXPECT_EQ(CheckpointStore::LoadFile(folder + "/best.ckpt").epoch, 20);
}

TEST_F(CheckpointStoreTest, RepairMakesTheBestAnewWhenItIsDamagedOrGone) {
  store.SaveNumbered(At(10, 10));
  store.SaveNumbered(At(20, 10));
  store.Repair(store.LoadNewest());
  EXPECT_EQ(CheckpointStore::LoadFile(folder + "/best.ckpt").epoch, 10);
  Damage("best.ckpt");
  store.Repair(store.LoadNewest());
  EXPECT_EQ(CheckpointStore::LoadFile(folder + "/best.ckpt").epoch, 10);
}

TEST_F(CheckpointStoreTest, RepairMakesTheNewestTheBestOnlyWhenItIs) {
  store.SaveBest(At(5, 5));
  store.SaveNumbered(At(20, 5));
  store.Repair(store.LoadNewest());
  EXPECT_EQ(CheckpointStore::LoadFile(folder + "/best.ckpt").epoch, 5);
  fs::remove(folder + "/best.ckpt");
  store.Repair(store.LoadNewest());
  EXPECT_THAT(Files(), ElementsAre("epoch_00000020.ckpt"));
}

TEST_F(CheckpointStoreTest, RepairRemovesWhatTheNewestReplaced) {
  CheckpointStore patient(folder, {.keep = 9, .milestone_interval = 0});
  for (const int epoch : {5, 10, 15, 20}) patient.SaveNumbered(At(epoch));
  store.SaveRecovery(At(17));
  store.Repair(store.LoadNewest());
  EXPECT_THAT(Files(), UnorderedElementsAre("epoch_00000015.ckpt", "epoch_00000020.ckpt"));
  store.SaveRecovery(At(22));
  store.Repair(store.LoadNewest());
  EXPECT_THAT(Files(),
              UnorderedElementsAre("epoch_00000015.ckpt", "epoch_00000020.ckpt", "recovery.ckpt"));
}

}  // namespace
}  // namespace dray
