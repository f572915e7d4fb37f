#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/routing/readers.h"
#include "src/routing/writer.h"
#include "src/run/commands.h"

namespace dray {
namespace {

constexpr char kR101[] = "tests/data/solomon/25/R101.txt";

std::string Printed(const std::vector<std::string>& arguments) {
  testing::internal::CaptureStdout();
  SolveCommand(arguments);
  return testing::internal::GetCapturedStdout();
}

std::string Refused(const std::vector<std::string>& arguments) {
  try {
    Printed(arguments);
  } catch (const Error& error) {
    testing::internal::GetCapturedStdout();
    return error.what();
  }
  return "not refused";
}

TEST(Solve, PrintsCostVehiclesAndPlan) {
  const std::string text = Printed({"--instance", kR101, "--seeds", "3"});
  EXPECT_NE(text.find("cost      617.1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("vehicles  8\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Route #8:"), std::string::npos) << text;
}

TEST(Solve, PrintsOneJsonObject) {
  const std::string text =
      Printed({"--instance", "tests/data/li_lim_100/lc101.txt", "--round-distances=exact", "--json",
               "--oracle", "ruin_recreate", "--rounds", "300", "--fewest-vehicles"});
  EXPECT_EQ(text.front(), '{');
  EXPECT_EQ(text.substr(text.size() - 2), "}\n");
  EXPECT_NE(text.find("\"seconds\": "), std::string::npos) << text;
  EXPECT_NE(text.find("\"vehicles\": 10"), std::string::npos) << text;
}

TEST(Solve, WritesAPlanThatCanBeReadAndDriven) {
  const std::string out = testing::TempDir() + "/plan.sol";
  Printed({"--instance", kR101, "--oracle", "insertion", "--out", out});
  const Problem problem = ReadProblem(kR101);
  const Simulation driven = Simulate(problem, ReadPlan(problem, out));
  EXPECT_TRUE(driven.violations.empty());
  EXPECT_EQ(driven.cost.unserved, 0);
}

TEST(Solve, TheNeuralOracleNeedsNoFileOfWeights) {
  for (const char* file : {kR101, "tests/data/li_lim_100/lc101.txt"}) {
    const std::string text =
        Printed({"--instance", file, "--oracle", "neural", "--starts", "8", "--device", "cpu"});
    EXPECT_NE(text.find("; neural, best of 8 starts\n"), std::string::npos) << text;
    EXPECT_NE(text.find("unserved  0\n"), std::string::npos) << text;
  }
}

TEST(Solve, WeightsThatAreMissingOrNoneAreRefused) {
  const std::string missing =
      Refused({"--instance", kR101, "--oracle", "neural", "--weights", "/nowhere.bin"});
  EXPECT_NE(missing.find("/nowhere.bin"), std::string::npos) << missing;
  const std::string none = Refused({"--instance", kR101, "--oracle", "neural", "--weights", kR101});
  EXPECT_NE(none.find("is not a file of weights"), std::string::npos) << none;
}

TEST(Solve, HelpNamesEveryFlag) {
  const std::string text = Printed({"--help"});
  for (const char* flag : {"--instance FILE", "--oracle NAME", "--rounds N", "--seeds K",
                           "--round-distances HOW", "--out FILE", "--json"})
    EXPECT_NE(text.find(flag), std::string::npos) << flag;
}

TEST(Solve, RefusesMistakesInOneLine) {
  EXPECT_EQ(Refused({"--instnce", "x"}), "--instnce: unknown flag; did you mean --instance?");
  EXPECT_EQ(Refused({"--rounds", "many"}),
            "--rounds many: expected a whole number from 0 to 1000000000");
  EXPECT_EQ(Refused({"--oracle", "insertoin"}),
            "--oracle insertoin: is not one of insertion, ruin_recreate, neural; did you mean "
            "insertion?");
  EXPECT_EQ(Refused({"--starts", "0"}), "--starts 0: expected a whole number from 1 to 1024");
  EXPECT_EQ(Refused({"--seeds"}), "--seeds: needs a value: K");
  EXPECT_EQ(Refused({"--json=1"}), "--json=1: --json takes no value");
  EXPECT_EQ(Refused({"R101.txt"}),
            "R101.txt: unexpected argument; flags begin with --, see --help");
  EXPECT_EQ(Refused({}), "--instance: which problem? Name its file: --instance R101.txt");
  EXPECT_NE(Refused({"--instance", "no-such-file.txt"}).find("no-such-file.txt"),
            std::string::npos);
}

}  // namespace
}  // namespace dray
