#include "src/nets/checkpoint_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/installation.h"

namespace dray {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

// A checkpoint of a run that stores nothing but its policy.
std::string FileAt(int64_t epoch, const std::string& first_line = "") {
  SectionWriter out(CheckpointFormat());
  out.PutNumber("epoch", epoch);
  for (const char* number : {"elapsed_s", "best_return"}) out.PutNumber(number, 0.0);
  out.PutBytes("config", first_line + "env: {name: cartpole}\n");
  for (const char* empty : {"loop", "learner"}) out.PutBytes(empty, "");
  out.PutBytes("weights", "weights");
  for (const char* empty : {"episodes", "side_learner", "side_model"}) out.PutBytes(empty, "");
  out.PutList("shards", {});
  out.PutNumber<int64_t>("best_epoch", 0);
  return out.Finish();
}

class CheckpointFileTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(run);
    fs::create_directories(folder);
  }
  std::string ErrorOf(const std::string& path) const {
    try {
      FindCheckpoint(path);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }

  const std::string run = testing::TempDir() + "/checkpoint_file_test";
  const std::string folder = run + "/checkpoints";
};

TEST_F(CheckpointFileTest, IsFoundByItsRunOrItsName) {
  WriteFileAtomically(NumberedCheckpointPath(folder, 10), FileAt(10));
  WriteFileAtomically(NumberedCheckpointPath(folder, 9), FileAt(9));
  EXPECT_THAT(NumberedCheckpoints(folder), ElementsAre(Pair(10, folder + "/epoch_00000010.ckpt"),
                                                       Pair(9, folder + "/epoch_00000009.ckpt")));
  const FoundCheckpoint newest = FindCheckpoint(run);
  EXPECT_EQ(newest.file.path, folder + "/epoch_00000010.ckpt");
  EXPECT_EQ(newest.file.Sections().Bytes("weights"), "weights");
  const FoundCheckpoint named = FindCheckpoint(folder + "/epoch_00000009.ckpt");
  EXPECT_EQ(named.file.Sections().Number<int64_t>("epoch"), 9);
}

TEST_F(CheckpointFileTest, OneThatTheCheckRefusesIsPassedOver) {
  WriteFileAtomically(NumberedCheckpointPath(folder, 10), FileAt(10));
  WriteFileAtomically(RecoveryCheckpointPath(folder), FileAt(12));
  const FoundCheckpoint found = NewestCheckpoint(folder, [](const SectionReader& sections) {
    if (sections.Number<int64_t>("epoch") == 12) throw Failure("not this one");
  });
  EXPECT_EQ(found.file.path, folder + "/epoch_00000010.ckpt");
  EXPECT_THAT(found.damaged,
              ElementsAre(RecoveryCheckpointPath(folder) + " is damaged: not this one"));
}

TEST_F(CheckpointFileTest, OneOfAnotherVersionThatTheCheckRefusesIsNotCalledDamaged) {
  WriteFileAtomically(NumberedCheckpointPath(folder, 1), FileAt(1));
  WriteFileAtomically(NumberedCheckpointPath(folder, 2), FileAt(2, "# Dray 0.1.2\n"));
  WriteFileAtomically(NumberedCheckpointPath(folder, 3), FileAt(3, Cat("# Dray ", kVersion, "\n")));
  const FoundCheckpoint found = NewestCheckpoint(folder, [](const SectionReader& sections) {
    if (sections.Number<int64_t>("epoch") > 1) throw Failure("no");
  });
  EXPECT_THAT(
      found.damaged,
      ElementsAre(NumberedCheckpointPath(folder, 3) + " is damaged: no",
                  Cat(NumberedCheckpointPath(folder, 2),
                      " was written by Dray 0.1.2 and cannot be used by Dray ", kVersion, ": no")));
}

TEST_F(CheckpointFileTest, APathWithoutACheckpointIsAnErrorThatSaysWhatToName) {
  EXPECT_TRUE(HasNoCheckpoint(folder));
  EXPECT_THAT(ErrorOf(run), HasSubstr("there is no checkpoint in " + folder));
  EXPECT_THAT(ErrorOf(run + "/nowhere"), HasSubstr("no such folder or file on this machine"));
}

}  // namespace
}  // namespace dray
