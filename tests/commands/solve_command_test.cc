#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/commands/command_help.h"
#include "src/config/command.h"
#include "src/routing/readers.h"
#include "src/routing/writer.h"

namespace dray {

namespace commands {
Command solve();
}

namespace {

constexpr char kR101[] = "tests/data/solomon/25/R101.txt";

std::string Printed(const std::vector<std::string>& arguments) {
  testing::internal::CaptureStdout();
  Run(commands::solve(), arguments);
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

TEST(Solve, RoundsGrowWithTheRequestsUnlessAskedFor) {
  EXPECT_NE(Printed({"--instance", kR101}).find("; ruin_recreate, 2500 rounds, best of 3 seeds\n"),
            std::string::npos);
  EXPECT_NE(Printed({"--instance", kR101, "--rounds", "0", "--seeds", "1"})
                .find("; ruin_recreate, 0 rounds, best of 1 seed\n"),
            std::string::npos);
}

TEST(Solve, SaysInWhatStepsTheFilesUnitsAreCounted) {
  EXPECT_NE(Printed({"--instance", kR101, "--rounds", "1"})
                .find("units     the file's own, in steps of 0.1\n"),
            std::string::npos);
  const std::string path = testing::TempDir() + "/degrees.csv";
  WriteFileAtomically(path,
                      "id,x,y,demand,opens,closes,service\n"
                      "0,13.4050,52.5200,0,0,1440,0\n"
                      "1,13.3777,52.5163,1,480,720,5\n");
  const std::string text = Printed({"--instance", path, "--capacity", "4"});
  EXPECT_NE(text.find("cost      0.05510\nunits     the file's own, in steps of 0.00001\n"),
            std::string::npos)
      << text;
}

TEST(Solve, PrintsOneJsonObject) {
  const std::string text =
      Printed({"--instance", "tests/data/li_lim_100/lc101.txt", "--round-distances=exact", "--json",
               "--oracle", "ruin_recreate", "--rounds", "300", "--fewest-vehicles"});
  EXPECT_EQ(text.front(), '{');
  EXPECT_EQ(text.substr(text.size() - 2), "}\n");
  EXPECT_NE(text.find("\"seconds\":"), std::string::npos) << text;
  EXPECT_NE(text.find("\"vehicles\":10"), std::string::npos) << text;
}

TEST(Solve, WritesAPlanThatCanBeReadAndDriven) {
  const std::string out = testing::TempDir() + "/plan.sol";
  Printed({"--instance", kR101, "--oracle", "insertion", "--out", out});
  const Problem problem = ReadProblem(kR101);
  const Simulation driven = Simulate(problem, ReadPlan(problem, out));
  EXPECT_TRUE(driven.violations.empty());
  EXPECT_EQ(driven.cost.unserved, 0);
}

TEST(Solve, DrawsPicturesNamedAfterTheFile) {
  const std::string folder = testing::TempDir() + "/pictures/of/plans";
  const std::string text =
      Printed({"--instance", kR101, "--oracle", "insertion", "--render", folder, "--clock"});
  for (const char* name : {"/R101_routes.svg", "/R101_gantt.svg"}) {
    EXPECT_NE(text.find(folder + name), std::string::npos) << text;
    EXPECT_NE(ReadFile(folder + name).find("</svg>"), std::string::npos);
  }
  EXPECT_NE(ReadFile(folder + "/R101_gantt.svg").find("03:00"), std::string::npos);
}

TEST(Solve, AFolderThatCannotBeWrittenIsSaidInOneLine) {
  const std::string file = testing::TempDir() + "/a_file";
  WriteFileAtomically(file, "");
  EXPECT_EQ(Refused({"--instance", kR101, "--render", file + "/folder"}),
            "cannot write " + file +
                "/folder: Not a directory (choose another folder with "
                "--render)");
  EXPECT_EQ(Refused({"--instance", kR101, "--rounds", "1", "--out", file + "/plan.sol"}),
            "cannot write " + file +
                "/plan.sol.tmp: Not a directory (choose another folder with "
                "--out)");
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
  const std::string text = HelpText(commands::solve());
  for (const char* flag :
       {"--instance FILE", "--oracle auto|neural|insertion|ruin_recreate", "--rounds N",
        "--seeds K", "--round-distances HOW", "--out FILE", "--render FOLDER", "--clock", "--json"})
    EXPECT_NE(text.find(flag), std::string::npos) << flag;
}

TEST(Solve, ABadFileIsRefusedInOneLineThatNamesFileLineAndField) {
  const std::string good = ReadFile(kR101);
  const std::string path = testing::TempDir() + "/bad.txt";
  const auto refused = [&](const std::string& old_part, const std::string& new_part) {
    std::string text = good;
    const size_t at = text.find(old_part);
    EXPECT_NE(at, std::string::npos) << old_part;
    WriteFileAtomically(path, text.replace(at, old_part.size(), new_part));
    const std::string said = Refused({"--instance", path});
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    EXPECT_EQ(said.rfind(path, 0), 0u) << said;
    return said.substr(std::min(said.size(), path.size()));
  };
  EXPECT_EQ(refused("200\n", "0\n"),
            ":5: CAPACITY: must be from 1 to 1000000000, found 0; give every vehicle some room");
  EXPECT_EQ(refused("161        171", "-161       171"),
            ":11: READY TIME: must not be negative, found -161; times count from 0");
  EXPECT_EQ(refused("161        171", "181        171"),
            ":11: DUE DATE: customer 1: the window closes at 171.0, before it opens at 181.0; "
            "swap or fix them");
  EXPECT_EQ(refused("161        171", "1          2"),
            ":11: DUE DATE: customer 1: no vehicle can serve it: driving straight there it arrives "
            "at 15.2, after the window closed at 2.0; widen the window");
  EXPECT_EQ(refused(good.substr(good.find("    1  ")), ""),
            ":10: CUST NO.: expected a depot and at least one customer, found 1 row; the file may "
            "be cut short");
}

TEST(Solve, RefusesMistakesInOneLine) {
  EXPECT_EQ(Refused({"--instnce", "x"}), "--instnce: unknown flag; did you mean --instance?");
  EXPECT_EQ(Refused({"--rounds", "many"}),
            "--rounds many: expected a whole number, found \"many\"");
  EXPECT_EQ(Refused({"--oracle", "insertoin"}),
            "--oracle insertoin: expected auto, neural, insertion or ruin_recreate, found "
            "\"insertoin\"; did "
            "you mean insertion?");
  EXPECT_EQ(Refused({"--starts", "0"}), "--starts 0: 0 is out of range; it must be from 1 to 1024");
  EXPECT_EQ(Refused({"--seeds"}), "--seeds: needs a value: K");
  EXPECT_EQ(Refused({"--json=1"}), "--json=1: --json takes no value");
  EXPECT_EQ(Refused({"R101.txt"}),
            "R101.txt: unexpected argument; flags begin with --, see --help");
  EXPECT_EQ(Refused({}), "--instance: name the problem's file: --instance R101.txt");
  EXPECT_NE(Refused({"--instance", "no-such-file.txt"}).find("no-such-file.txt"),
            std::string::npos);
}

}  // namespace
}  // namespace dray
