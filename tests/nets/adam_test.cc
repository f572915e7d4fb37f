#include "src/nets/adam.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "src/base/error.h"

namespace dray {
namespace {

// The formulas of the paper, in double precision.
struct Reference {
  double parameter = 0, first = 0, second = 0;
  int steps = 0;

  void Step(double rate, double gradient) {
    ++steps;
    first = 0.9 * first + 0.1 * gradient;
    second = 0.999 * second + 0.001 * gradient * gradient;
    const double first_hat = first / (1 - std::pow(0.9, steps));
    const double second_hat = second / (1 - std::pow(0.999, steps));
    parameter -= rate * first_hat / (std::sqrt(second_hat) + 1e-8);
  }
};

TEST(Adam, FollowsThePaper) {
  const size_t n = 37;  // not a whole number of vectors
  Adam adam(n);
  std::vector<float> parameters(n, 0.0f), gradients(n);
  std::vector<Reference> reference(n);
  for (int step = 0; step < 50; ++step) {
    for (size_t i = 0; i < n; ++i) {
      gradients[i] = static_cast<float>(std::sin(0.7 * step + static_cast<double>(i)));
      reference[i].Step(1e-2, gradients[i]);
    }
    adam.Step(1e-2, gradients, parameters);
    for (size_t i = 0; i < n; ++i) ASSERT_NEAR(parameters[i], reference[i].parameter, 1e-5);
  }
}

TEST(Adam, MomentsThatDecayToNothingEndAtNothing) {
  Adam adam(1);
  std::vector<float> parameter = {0}, gradient = {1};
  adam.Step(1e-2, gradient, parameter);
  gradient[0] = 0;
  for (int step = 0; step < 2000; ++step) adam.Step(1e-2, gradient, parameter);
  ByteWriter out;
  adam.Save(out);
  ByteReader in(out.bytes(), "adam");
  EXPECT_EQ(in.Get<int64_t>(), 2001);
  EXPECT_EQ(in.GetVector<float>(), std::vector<float>{0});  // not the smallest float there is
  EXPECT_GT(in.GetVector<float>()[0], 1e-4f);
}

TEST(Adam, ASavedCountThatCannotBeIsAnError) {
  for (const int64_t steps : {int64_t{-1}, INT64_MIN, INT64_MAX}) {
    ByteWriter out;
    out.Put(steps);
    out.PutVector(std::vector<float>{0});
    out.PutVector(std::vector<float>{0});
    ByteReader in(out.bytes(), "adam");
    EXPECT_THROW(Adam(1, {}).Load(in), Error);
  }
}

}  // namespace
}  // namespace dray
