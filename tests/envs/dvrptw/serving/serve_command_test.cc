#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/config/command.h"

namespace dray {

namespace commands {
Command serve();
}

namespace {

std::string Served(const std::string& requests) {
  testing::internal::CaptureStdout();
  try {
    Run(commands::serve(),
        std::vector<std::string>{"--pretrained", "dvrptw_best", "--requests", requests});
  } catch (const Error& error) {
    testing::internal::GetCapturedStdout();
    return error.what();
  }
  return testing::internal::GetCapturedStdout();
}

TEST(ServeCommand, AnswersEveryLineOfAFile) {
  const std::string path = testing::TempDir() + "/day.jsonl";
  WriteFileAtomically(path, "{\"new_day\": true}\n{\"nonsense\": 1}\n");
  const std::string answers = Served(path);
  EXPECT_EQ(std::ranges::count(answers, '\n'), 2) << answers;
}

TEST(ServeCommand, AFolderOrAMissingFileOfRequestsIsAnError) {
  EXPECT_THAT(Served(testing::TempDir()), testing::HasSubstr("cannot be read; name a file"));
  EXPECT_THAT(Served(testing::TempDir() + "/nowhere"), testing::HasSubstr("cannot be read"));
}

}  // namespace
}  // namespace dray
