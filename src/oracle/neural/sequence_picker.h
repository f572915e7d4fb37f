#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/routing/problem.h"

namespace dray {

// Insertion orders of the requests of one problem: [starts, requests].
using Sequences = std::vector<int>;

// Picks the sequences in which requests are inserted. They do not depend on the rest of the batch
// (on a GPU: up to rounding).
class SequencePicker {
 public:
  virtual ~SequencePicker() = default;

  // Begins to pick for problems that must live until Take. Picks, for each problem, the most
  // probable sequence, then the most probable ones that begin with another request, then, once
  // every request has been first, random ones with fixed seeds. A problem of one request gets one
  // sequence. If this throws, all pending calls are dropped.
  virtual void Begin(std::span<const Problem* const> problems, int starts) = 0;
  // Returns the sequences of the earliest pending Begin.
  virtual std::vector<Sequences> Take() = 0;
  std::vector<Sequences> Pick(std::span<const Problem* const> problems, int starts) {
    Begin(problems, starts);
    return Take();
  }

  // Returns true if this machine's cores are idle between Begin and Take.
  virtual bool leaves_cores_free() const { return false; }
  // Returns "cpu" or "cuda".
  virtual std::string device() const = 0;
};

// Writes the noise of a random pick: one Gumbel number per request for one pick of one start. A
// longer row begins with the same numbers.
void WriteSequenceNoise(int start, int pick, std::span<float> noise);

}  // namespace dray
