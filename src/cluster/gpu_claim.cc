#include "src/cluster/gpu_claim.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "src/base/error.h"

namespace dray {
namespace {

constexpr char kVariable[] = "CUDA_VISIBLE_DEVICES";
constexpr int kMostSharing = 64;

}  // namespace

std::vector<std::string> VisibleGpus() {
  std::vector<std::string> gpus;
  if (const char* named = std::getenv(kVariable)) {
    std::istringstream names(named);
    for (std::string name; std::getline(names, name, ',');) gpus.push_back(name);
    return gpus;
  }
  while (std::filesystem::exists(Cat("/dev/nvidia", gpus.size()))) {
    gpus.push_back(Cat(gpus.size()));
  }
  return gpus;
}

GpuClaim::GpuClaim(const std::vector<std::string>& gpus, const std::string& folder) {
  DRAY_CHECK(!gpus.empty());
  gpu_ = gpus[0];
  mkdir(folder.c_str(), 0700);
  // Every GPU once, then every one a second time.
  for (int round = 0; round < kMostSharing; ++round) {
    for (const std::string& gpu : gpus) {
      const std::string path = Cat(folder, "/", gpu, "-", round);
      const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
      if (file < 0) return;
      if (flock(file, LOCK_EX | LOCK_NB) == 0) {
        gpu_ = gpu;
        lock_ = file;
        return;
      }
      close(file);
    }
  }
}

GpuClaim::~GpuClaim() {
  if (lock_ >= 0) close(lock_);
}

void TakeOwnGpu() {
  const std::vector<std::string> gpus = VisibleGpus();
  if (gpus.size() < 2) return;
  const char* temporary = std::getenv("TMPDIR");
  static const GpuClaim claim(gpus, Cat(temporary ? temporary : "/tmp", "/dray-gpus-", getuid()));
  setenv(kVariable, claim.gpu().c_str(), /*overwrite=*/1);
}

}  // namespace dray
