#include "src/cluster/gpu_claim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>

#include "src/base/error.h"

namespace dray {
namespace {

const std::vector<std::string> kGpus = {"0", "1", "2"};

std::string Folder(const std::string& name) { return Cat(testing::TempDir(), "gpus-", name); }

TEST(GpuClaim, EveryProcessHasItsOwnAsLongAsThereAreAny) {
  std::vector<std::unique_ptr<GpuClaim>> claims;
  std::map<std::string, int> times;
  for (int i = 0; i < 7; ++i) {
    claims.push_back(std::make_unique<GpuClaim>(kGpus, Folder("own")));
    ++times[claims.back()->gpu()];
  }
  EXPECT_THAT(times, testing::ElementsAre(testing::Pair("0", 3), testing::Pair("1", 2),
                                          testing::Pair("2", 2)));
  claims.erase(claims.begin() + 2);  // the first on GPU 2
  EXPECT_EQ(GpuClaim(kGpus, Folder("own")).gpu(), "2");
}

TEST(GpuClaim, EndsWithItsProcess) {
  const std::string folder = Folder("killed");
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const GpuClaim claim(kGpus, folder);
    const char first = claim.gpu()[0];
    if (write(ready[1], &first, 1) != 1) _exit(1);
    pause();
    _exit(0);
  }
  char first = 0;
  ASSERT_EQ(read(ready[0], &first, 1), 1);
  EXPECT_EQ(first, '0');
  EXPECT_EQ(GpuClaim(kGpus, folder).gpu(), "1");
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(GpuClaim(kGpus, folder).gpu(), "0");
}

TEST(GpuClaim, WithoutLocksItIsTheFirst) {
  EXPECT_EQ(GpuClaim({"4", "5"}, "/proc/nowhere").gpu(), "4");
}

TEST(GpuClaim, IsAmongThoseThatAreShown) {
  setenv("CUDA_VISIBLE_DEVICES", "3,GPU-12ab", 1);
  EXPECT_THAT(VisibleGpus(), testing::ElementsAre("3", "GPU-12ab"));
  setenv("CUDA_VISIBLE_DEVICES", "", 1);
  EXPECT_THAT(VisibleGpus(), testing::IsEmpty());
  setenv("TMPDIR", testing::TempDir().c_str(), 1);
  setenv("CUDA_VISIBLE_DEVICES", "7", 1);
  TakeOwnGpu();
  EXPECT_STREQ(std::getenv("CUDA_VISIBLE_DEVICES"), "7");
  setenv("CUDA_VISIBLE_DEVICES", "3,5", 1);
  TakeOwnGpu();
  EXPECT_STREQ(std::getenv("CUDA_VISIBLE_DEVICES"), "3");
  TakeOwnGpu();
  EXPECT_STREQ(std::getenv("CUDA_VISIBLE_DEVICES"), "3");
}

}  // namespace
}  // namespace dray
