#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/config/command.h"
#include "src/oracle/neural/sequence_weights.h"

namespace dray {

namespace commands {
Command train_oracle();
}

namespace {

std::string Printed(const std::vector<std::string>& arguments) {
  testing::internal::CaptureStdout();
  Run(commands::train_oracle(), arguments);
  return testing::internal::GetCapturedStdout();
}

std::string Refused(const std::vector<std::string>& arguments) {
  try {
    Printed(arguments);
  } catch (const Error& error) {
    testing::internal::GetCapturedStdout();
    EXPECT_EQ(error.exit_code(), 2);
    return error.what();
  }
  return "not refused";
}

std::vector<std::string> Small(const std::string& out, const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"--out",
                                        out,
                                        "--batch",
                                        "4",
                                        "--starts",
                                        "4",
                                        "--requests-max",
                                        "5",
                                        "--device",
                                        "cpu",
                                        "--threads",
                                        "1",
                                        "--validation",
                                        "4",
                                        "--reference-rounds",
                                        "10",
                                        "--validate-every",
                                        "3"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(TrainOracle, WritesWeightsAndACurveAndGoesOnFromThem) {
  const std::string out = testing::TempDir() + "/first.bin";
  const std::string text = Printed(Small(
      out, {"--steps", "6", "--dim", "16", "--heads", "2", "--hidden", "16", "--layers", "1"}));
  EXPECT_NE(text.find("sequence net: 16 dims, 1 layers of 2 heads"), std::string::npos) << text;
  EXPECT_NE(text.find("\n100%  step 6 · greedy +"), std::string::npos) << text;
  EXPECT_NE(text.find("5 single stops"), std::string::npos) << text;
  EXPECT_EQ(ReadSequenceWeights(out).most_requests, 5);
  const std::string curve = ReadFile(out + ".jsonl");
  EXPECT_EQ(std::count(curve.begin(), curve.end(), '\n'), 2) << curve;
  EXPECT_NE(curve.find("{\"step\":3,"), std::string::npos) << curve;

  const std::string second = testing::TempDir() + "/second.bin";
  Printed(Small(second, {"--steps", "1", "--resume", out, "--learning-rate", "1e-9"}));
  const SequenceWeights before = ReadSequenceWeights(out), after = ReadSequenceWeights(second);
  EXPECT_EQ(before.shape, after.shape);
  for (size_t i = 0; i < before.values.size(); ++i)
    EXPECT_NEAR(before.values[i], after.values[i], 1e-6);
}

TEST(TrainOracle, RefusesMistakesInOneLine) {
  EXPECT_EQ(Refused({}), "--out: name a file for the weights: --out weights.bin");
  EXPECT_EQ(Refused({"--out", "x", "--requests-min", "9", "--requests-max", "8"}),
            "--requests-min 9: is above --requests-max 8");
  EXPECT_EQ(Refused({"--out", "x", "--dim", "30"}), "--dim 30: is not a multiple of --heads 8");
  EXPECT_EQ(Refused({"--out", "x", "--minutes", "0"}),
            "--minutes 0: 0 is out of range; it must be above 0 and at most 100000");
  EXPECT_NE(Refused({"--out", "x", "--resume", "/nowhere.bin"}).find("/nowhere.bin"),
            std::string::npos);
}

}  // namespace
}  // namespace dray
