// Prints what Dray's own cage2 shows and forbids while random allowed actions are played, for
// adapter_test.py, which holds the Python adapter to it.
//
// usage: observation_probe 'SETTINGS' EPISODES SEED
//
// SETTINGS is a Cage2Config in Protobuf's text form. A line for each reset and step: the output
// that was taken (-1: a reset), the mask as 0s and 1s (allowed), the observation, what happened.

#include <google/protobuf/text_format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/envs/cage2/cage2.h"

namespace dray {
namespace {

class Probe {
 public:
  Probe(const Cage2Config& config, uint64_t seed)
      : env_(config),
        rng_(seed, RngPurpose::kTest, 0),
        observation_(static_cast<size_t>(env_.spec().observation_size)),
        mask_(static_cast<size_t>(env_.spec().actions.outputs()), 1) {}

  void PlayEpisode() {
    env_.Reset(rng_, observation_);
    Print(-1);
    for (bool over = false; !over;) {
      const int output = DrawAllowed();
      over = env_.Step({.index = output, .values = {}}, rng_, observation_).terminated;
      Print(output);
    }
  }

 private:
  int DrawAllowed() {
    for (;;) {
      const auto output = static_cast<size_t>(rng_.Below(static_cast<uint32_t>(mask_.size())));
      if (mask_[output] != 0) return static_cast<int>(output);
    }
  }

  void Print(int output) {
    if (env_.spec().masked) env_.WriteMask(mask_);
    std::printf("%d\t", output);
    for (const uint8_t allowed : mask_) std::putchar(allowed != 0 ? '1' : '0');
    std::putchar('\t');
    // Nine digits name a float exactly.
    for (const float value : observation_) std::printf("%.9g ", static_cast<double>(value));
    std::string story = env_.Render();
    std::ranges::replace(story, '\n', ' ');
    std::printf("\t%s\n", story.c_str());
  }

  Cage2 env_;
  Rng rng_;
  std::vector<float> observation_;
  std::vector<uint8_t> mask_;
};

int Main(int argc, char** argv) {
  Cage2Config config;
  if (argc != 4 || !google::protobuf::TextFormat::ParseFromString(argv[1], &config)) {
    std::fprintf(stderr, "usage: observation_probe 'SETTINGS' EPISODES SEED\n");
    return 2;
  }
  Probe probe(config, std::strtoull(argv[3], nullptr, 10));
  for (int episode = 0; episode < std::atoi(argv[2]); ++episode) probe.PlayEpisode();
  return 0;
}

}  // namespace
}  // namespace dray

int main(int argc, char** argv) { return dray::Main(argc, argv); }
