#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/routing/problem.h"

namespace dray {

// The sequences of one problem in which its requests are inserted, one after the other: [starts,
// requests].
using Sequences = std::vector<int>;

// Says in which sequences requests are inserted. The same problem gets the same sequences, whatever
// the batch it comes in (on a GPU: to rounding).
class SequencePicker {
 public:
  virtual ~SequencePicker() = default;

  // Begins to pick for problems that stay until Take. By problem: the most probable sequence, then
  // those that begin with another request; once every request has been first, sequences drawn at
  // random with fixed seeds. Starts beyond the first of a problem that has but one request are left
  // out. What it throws forgets all that was begun.
  virtual void Begin(std::span<const Problem* const> problems, int starts) = 0;
  // The sequences of the call of Begin that came first.
  virtual std::vector<Sequences> Take() = 0;
  std::vector<Sequences> Pick(std::span<const Problem* const> problems, int starts) {
    Begin(problems, starts);
    return Take();
  }

  // Whether this machine's cores are free between Begin and Take.
  virtual bool leaves_cores_free() const { return false; }
  // "cpu" or "cuda"
  virtual std::string device() const = 0;
};

// The noise of random picks: Gumbel numbers for one pick of one start, one by request. A longer row
// begins with the same numbers.
void WriteSequenceNoise(int start, int pick, std::span<float> noise);

}  // namespace dray
