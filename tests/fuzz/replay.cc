// Runs a fuzz target without libFuzzer: once for each file of the folder that is named, then for
// changed copies of them, 300 or as many as a second argument says. It ends, or the target crashes.

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/rng.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace dray {
namespace {

std::string last;  // the input that is being read

// Keeps the input that crashed the target, and crashes on.
void KeepLast(int signal) {
  std::ofstream("replay-crash", std::ios::binary) << last;
  std::fprintf(stderr, "replay: the input is in the file replay-crash\n");
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void Run(const std::string& bytes) {
  last = bytes;
  // Memory of its own, without an end of strings behind it.
  const std::vector<uint8_t> copy(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(copy.data(), copy.size());
}

std::string Changed(std::string bytes, Rng& rng) {
  const auto below = [&](size_t n) { return size_t{rng.Below(static_cast<uint32_t>(n))}; };
  for (uint32_t edits = 1 + rng.Below(4); edits > 0 && !bytes.empty(); --edits) {
    const size_t at = below(bytes.size());
    switch (rng.Below(5)) {
      case 0:
        bytes[at] = static_cast<char>(rng.Below(256));
        break;
      case 1:
        bytes[at] = static_cast<char>(rng.Below(2) == 0 ? 0x00 : 0xff);
        break;
      case 2:
        bytes.erase(at, 1 + below(8));
        break;
      case 3:
        bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(16)));
        break;
      default:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << rng.Below(8)));
    }
  }
  return bytes;
}

}  // namespace
}  // namespace dray

int main(int argc, char** argv) {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(argc > 1 ? argv[1] : ".")) {
    if (entry.is_regular_file()) files.push_back(dray::ReadFile(entry.path().string()));
  }
  const int copies = argc > 2 ? std::atoi(argv[2]) : 300;
  if (files.empty()) {
    std::fprintf(stderr, "replay: no files there\n");
    return 1;
  }
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS}) std::signal(signal, dray::KeepLast);
  dray::Rng rng(1, dray::RngPurpose::kTest, 0);
  for (const std::string& file : files) dray::Run(file);
  for (int copy = 0; copy < copies; ++copy) {
    dray::Run(dray::Changed(files[rng.Below(static_cast<uint32_t>(files.size()))], rng));
  }
  std::printf("%zu files and %d changed copies\n", files.size(), copies);
  return 0;
}
