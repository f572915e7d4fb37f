#include "src/output/terminal_sink.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace dray {
namespace {

const std::string kRule = std::string(80, '=') + "\n";
constexpr TerminalStyle kPlain{.is_terminal = false, .colours = false, .columns = 80};
constexpr TerminalStyle kTerminal{.is_terminal = true, .colours = false, .columns = 80};

RunHeader Example() {
  RunHeader header;
  header.environment = "cartpole";
  header.num_envs = 4;
  header.num_shards = 1;
  header.runner = "local";
  header.device = "cpu";
  header.epochs = 20;
  header.epoch_steps_per_env = 128;
  header.run_dir = "runs/a";
  return header;
}

Report At(int64_t epoch) {
  Report report;
  report.epoch = epoch;
  report.Record("total_steps", 512.0 * static_cast<double>(epoch));
  return report;
}

// What a sink writes after its header.
class Screen {
 public:
  explicit Screen(TerminalStyle style, const RunHeader& header = Example())
      : sink(out, style, header, [this] { return now_s; }) {
    Take();
  }
  std::string Take() {
    std::string text = out.str();
    out.str("");
    return text;
  }

  std::ostringstream out;
  double now_s = 100;
  TerminalSink sink;
};

TEST(TerminalSink, BeginsWithTheHeader) {
  std::ostringstream out;
  RunHeader header = Example();
  header.epochs = 1;
  const TerminalSink sink(out, kPlain, header);
  EXPECT_EQ(out.str(),
            kRule +
                "Training cartpole with PPO · 4 environments in 1 shard · runner local · cpu\n"
                "Epochs 1 (1 epoch = 128 steps x 4 environments = 512 samples) · seed 0\n"
                "  run runs/a\n" +
                kRule);
}

TEST(TerminalSink, APlainStreamGetsLinesAndNoStatus) {
  Screen screen(kPlain);
  screen.sink.Status({.progress = 0.5});
  screen.sink.Write(At(2));
  screen.sink.Say("checkpoint written");
  EXPECT_EQ(screen.Take(), "epoch 2/20\ncheckpoint written\n");
}

TEST(TerminalSink, APlainStreamIsNeverSilentForLong) {
  Screen screen(kPlain);
  const auto status = [&](double after_s) {
    screen.now_s += after_s;
    screen.sink.Status({.progress = 0.1, .phase = "rollout (40%)"});
    return screen.Take();
  };
  EXPECT_EQ(status(14), "");
  EXPECT_EQ(status(2), "███░░░░░░░░░░░░░░░░░░░░░░░░░░░ 10% · rollout (40%)\n");
  EXPECT_EQ(status(14), "");
  screen.sink.Write(At(2));
  screen.Take();
  EXPECT_EQ(status(14), "");
  EXPECT_NE(status(2), "");
}

TEST(TerminalSink, TheStatusLineIsRedrawnInPlaceAtMostTenTimesASecond) {
  Screen screen(kTerminal);
  screen.sink.Status({.progress = 0.5, .phase = "rollout", .steps_per_s = 1234, .eta_s = 80});
  EXPECT_EQ(screen.Take(),
            "\r\x1b[K███████████████░░░░░░░░░░░░░░░ 50% · rollout · 1,234 steps/s · ETA 1m 20s");
  screen.now_s += 0.05;
  screen.sink.Status({.progress = 0.6});
  EXPECT_EQ(screen.Take(), "");
  screen.now_s += 0.06;
  screen.sink.Status({.progress = 0.6});
  EXPECT_EQ(screen.Take(), "\r\x1b[K██████████████████░░░░░░░░░░░░ 60%");
}

TEST(TerminalSink, AReportReplacesTheStatusLineAndTheNextStatusIsDrawnAtOnce) {
  Screen screen(kTerminal);
  screen.sink.Status({.progress = 0});
  screen.Take();
  screen.sink.Write(At(1));
  EXPECT_EQ(screen.Take(), "\r\x1b[Kepoch 1/20\n");
  screen.sink.Write(At(2));
  EXPECT_EQ(screen.Take(), "epoch 2/20\n");
  screen.sink.Status({.progress = 0.1});
  EXPECT_NE(screen.Take(), "");
}

TEST(TerminalSink, TheSameAdviceIsGivenOnce) {
  Screen screen(kPlain);
  Report slow = At(1);
  slow.Record("time/learn_s", 40);
  screen.sink.Write(slow);
  EXPECT_NE(screen.Take().find("advice: an update takes 40s"), std::string::npos);
  slow.Record("time/learn_s", 50);
  screen.sink.Write(slow);
  EXPECT_EQ(screen.Take().find("advice"), std::string::npos);
}

TEST(TerminalSink, TheSummaryHasTheNewestNumbersAndSaysWhatToDoNext) {
  Screen screen(kPlain);
  Report evaluated = At(1);
  evaluated.Record("eval/return_mean", 499.5);
  evaluated.Record("eval/return_ci95", 1.25);
  evaluated.Record("eval/episodes", 20);
  screen.sink.Write(evaluated);
  Report last = At(20);
  last.Record("episode/return_mean", 480.04);
  last.Record("completed_episodes", 1234);
  last.Record("time/elapsed_s", 2);
  screen.sink.Write(last);
  screen.Take();
  setenv("PATH", "/nowhere", 1);
  setenv("BUILD_WORKSPACE_DIRECTORY", "/nowhere", 1);
  screen.sink.Finish("Finished: all 20 epochs done");
  EXPECT_EQ(screen.Take(), kRule +
                               "Finished: all 20 epochs done\n"
                               "  return       480.0 (last 100)\n"
                               "  evaluation   return 499.5 ± 1.2 (95% CI, 20 episodes)\n"
                               "  steps        10,240 steps in 1,234 episodes and 20 epochs\n"
                               "  time         2.0s (5,120 steps/s)\n"
                               "  run folder   runs/a\n"
                               "  evaluate     bazel run //:evaluate -- --run-dir runs/a\n" +
                               kRule);
}

TEST(TerminalSink, AllNumbersAreForThoseWhoAskForThem) {
  TerminalStyle verbose = kPlain;
  verbose.verbose = true;
  for (const TerminalStyle& style : {kPlain, verbose}) {
    Screen screen(style);
    Report report = At(1);
    report.Record("train/entropy", 0.5);
    screen.sink.Write(report);
    EXPECT_EQ(screen.Take().find("entropy 0.5 nats") != std::string::npos, style.verbose);
  }
}

TEST(TerminalSink, TheBestSoFarIsThatOfTheWholeRunAfterAResume) {
  Screen screen(kPlain);
  Report before = At(1);
  before.Record("episode/return_mean", 90);
  screen.sink.Remember(before);
  EXPECT_EQ(screen.Take(), "");
  Report after = At(2);
  after.Record("episode/return_mean", 50);
  screen.sink.Write(after);
  EXPECT_EQ(screen.Take(), "epoch 2/20 · return 50.0 · best 90.0\n");
}

TEST(TerminalSink, ARunThatEndsBeforeItsFirstReportStillHasASummary) {
  Screen screen(kPlain);
  screen.sink.Finish("Stopped by Ctrl-C");
  EXPECT_NE(screen.Take().find("n/a steps in n/a episodes and 0 epochs"), std::string::npos);
}

TEST(TerminalSink, ASinkThatGoesAwayLeavesNoStatusLineBehind) {
  std::ostringstream out;
  {
    TerminalSink sink(out, kTerminal, Example());
    sink.Status({.progress = 0.3});
  }
  EXPECT_TRUE(out.str().ends_with("\r\x1b[K"));
}

// A stream to a disk that may be full.
class Disk : public std::stringbuf {
 public:
  bool full = false;

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    return full ? 0 : std::stringbuf::xsputn(text, size);
  }
  int overflow(int letter) override { return full ? EOF : std::stringbuf::overflow(letter); }
};

TEST(TerminalSink, AStreamThatFailsIsCountedAndTriedAgain) {
  Disk disk;
  std::ostream out(&disk);
  TerminalSink sink(out, kPlain, Example());
  EXPECT_EQ(sink.failed_writes(), 0);
  disk.full = true;
  testing::internal::CaptureStderr();
  sink.Say("lost");
  sink.Write(At(1));
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "Warning: the output of the run cannot be written; the run continues and will try again\n");
  EXPECT_EQ(sink.failed_writes(), 2);
  disk.full = false;
  disk.str("");
  sink.Say("written again");
  EXPECT_EQ(disk.str(), "written again\n");
  EXPECT_EQ(sink.failed_writes(), 2);
}

}  // namespace
}  // namespace dray
