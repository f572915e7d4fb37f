#include "src/loop/child_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include "src/base/error.h"
#include "src/base/file.h"

namespace dray {
namespace {

std::string Output(const std::string& name) { return Cat(testing::TempDir(), "/", name, ".log"); }

TEST(ChildProcess, EndsWhenItsInputEnds) {
  ChildProcess child({"sh", "-c", "cat; echo done"}, Output("input"));
  EXPECT_FALSE(child.Ended());
  child.EndInput();
  ASSERT_TRUE(child.Wait(60));
  EXPECT_EQ(child.Ended(), 0);
  EXPECT_EQ(ReadFile(Output("input")), "done\n");
}

TEST(ChildProcess, AppendsWhatItPrintsOnBothStreams) {
  ChildProcess({"sh", "-c", "echo first"}, Output("both")).Wait(60);
  ChildProcess child({"sh", "-c", "echo second >&2; exit 3"}, Output("both"));
  ASSERT_TRUE(child.Wait(60));
  EXPECT_EQ(child.Ended(), 3);
  EXPECT_EQ(ReadFile(Output("both")), "first\nsecond\n");
}

TEST(ChildProcess, TellsWhichSignalEndedIt) {
  ChildProcess child({"sh", "-c", "kill -9 $$"}, Output("signal"));
  ASSERT_TRUE(child.Wait(60));
  EXPECT_EQ(child.Ended(), 128 + SIGKILL);
}

TEST(ChildProcess, DoesNotWaitForAPipeInThePlaceOfItsOutput) {
  const std::string pipe = Output("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(ChildProcess({"true"}, pipe), Error);
}

TEST(ChildProcess, IsAnErrorWhereThereIsNoSuchProgram) {
  EXPECT_THROW(ChildProcess({"dray-no-such-program"}, Output("none")), Error);
}

}  // namespace
}  // namespace dray
