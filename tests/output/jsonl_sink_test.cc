#include "src/output/jsonl_sink.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "src/base/error.h"
#include "src/base/file.h"
#include "tests/output/small_files.h"

namespace dray {
namespace {

std::string FreshPath() {
  const std::string path = testing::TempDir() + "/metrics.jsonl";
  std::remove(path.c_str());
  return path;
}

Report At(int64_t epoch) {
  Report report;
  report.epoch = epoch;
  report.Record("total_steps", static_cast<double>(epoch * 512));
  return report;
}

std::string JsonOf(double value) {
  Report report;
  report.Record("train/entropy", value);
  const std::string json = ReportJson(report);
  const size_t start = json.rfind(':') + 1;
  return json.substr(start, json.size() - start - 1);
}

TEST(ReportJson, HasTheEpochFirstAndTheValuesInTheirOrder) {
  Report report = At(3);
  report.Record("episode/stat/cost", 0.5);
  report.Record("batches/lost", 0);
  EXPECT_EQ(ReportJson(report),
            R"({"epoch":3,"total_steps":1536,"episode/stat/cost":0.5,"batches/lost":0})");
}

TEST(ReportJson, ANumberIsTheShortestThatReadsBackAsTheSameDouble) {
  EXPECT_EQ(JsonOf(0.1), "0.1");
  EXPECT_EQ(JsonOf(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(JsonOf(2.5e-4), "0.00025");
  for (const double value : {std::nextafter(0.1, 1), 1e-300, 5e-324, -1.7976931348623157e308}) {
    EXPECT_EQ(std::strtod(JsonOf(value).c_str(), nullptr), value);
  }
}

TEST(ReportJson, WholeNumbersHaveNeitherPointNorExponent) {
  EXPECT_EQ(JsonOf(1e6), "1000000");
  EXPECT_EQ(JsonOf(-3), "-3");
  EXPECT_EQ(JsonOf(9007199254740992.0), "9007199254740992");
  EXPECT_EQ(JsonOf(0), "0");
  EXPECT_EQ(JsonOf(-0.0), "-0");
}

TEST(ReportJson, WhatIsNotFiniteIsNull) {
  EXPECT_EQ(JsonOf(std::nan("")), "null");
  EXPECT_EQ(JsonOf(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(JsonOf(-std::numeric_limits<double>::infinity()), "null");
}

TEST(JsonlSink, EveryReportIsALineThatCanBeReadAtOnce) {
  const std::string path = FreshPath();
  JsonlSink sink(path, -1);
  sink.Write(At(1));
  EXPECT_EQ(ReadFile(path), "{\"epoch\":1,\"total_steps\":512}\n");
  sink.Write(At(2));
  EXPECT_EQ(ReadFile(path),
            "{\"epoch\":1,\"total_steps\":512}\n{\"epoch\":2,\"total_steps\":1024}\n");
}

TEST(JsonlSink, AResumedRunIsTheSameFileAsOneThatNeverStopped) {
  const std::string path = FreshPath();
  {
    JsonlSink sink(path, -1);
    for (int epoch = 1; epoch <= 6; ++epoch) sink.Write(At(epoch));
  }
  const std::string whole = ReadFile(path);
  {
    JsonlSink sink(path, 3);
    for (int epoch = 4; epoch <= 6; ++epoch) sink.Write(At(epoch));
  }
  EXPECT_EQ(ReadFile(path), whole);
}

TEST(JsonlSink, ATornLastLineIsRemovedOnResume) {
  const std::string path = FreshPath();
  const std::string first = ReportJson(At(1)) + "\n";
  for (const std::string torn : {"{\"epoch\":2,\"total_st", "{\"epoch\":2", "{\"epoch\":2}", "{",
                                 "{\"epoch\":12x}\n", "\n"}) {
    WriteFileAtomically(path, first + torn);
    const JsonlSink sink(path, 5);
    EXPECT_EQ(ReadFile(path), first) << torn;
  }
}

TEST(JsonlSink, AFreshRunKeepsNothingOfAnOldFile) {
  const std::string path = FreshPath();
  WriteFileAtomically(path, ReportJson(At(0)) + "\n");
  const JsonlSink sink(path, -1);
  EXPECT_EQ(ReadFile(path), "");
}

TEST(JsonlSink, AFileThatMayNotGrowIsAnError) {
  JsonlSink sink(FreshPath(), -1);
  const SmallFiles limit(0);
  EXPECT_THROW(sink.Write(At(1)), Error);
}

TEST(ReadReports, HasWhatWasWrittenAndSkipsATornLine) {
  const std::string path = FreshPath();
  {
    JsonlSink sink(path, -1);
    sink.Write(At(1));
    sink.Write(At(2));
  }
  WriteFileAtomically(path, ReadFile(path) + "{\"epoch\":3,\"total_s");
  const std::vector<Report> reports = ReadReports(path);
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[1].epoch, 2);
  EXPECT_EQ(reports[1].Get("total_steps"), 1024);
  EXPECT_TRUE(ReadReports(path + ".missing").empty());
}

}  // namespace
}  // namespace dray
