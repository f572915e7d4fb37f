#include "src/output/wrapped_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dray {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

WrappedLine Of(const std::vector<std::string>& parts) {
  WrappedLine line;
  for (const std::string& part : parts) line.Add(part);
  return line;
}

TEST(DisplayWidth, CountsSignsAndNoEscapeCodes) {
  EXPECT_EQ(DisplayWidth("return 5 ↑"), 10u);
  EXPECT_EQ(DisplayWidth("\x1b[32m187.3\x1b[0m"), 5u);
}

TEST(WrappedLine, JoinsPartsByDotsAndLeavesOutEmptyOnes) {
  EXPECT_EQ(Of({"a", "", "b"}).text(), "a · b");
  EXPECT_TRUE(Of({""}).empty());
  EXPECT_EQ(Of({}).text(), "");
}

TEST(WrappedLine, BreaksBetweenPartsWhereTheLineIsFull) {
  const WrappedLine line = Of({"aaa", "bbb", "ccc"});
  EXPECT_THAT(line.Wrapped(9, "", ""), ElementsAre("aaa · bbb", "ccc"));
  EXPECT_THAT(line.Wrapped(8, "> ", "  "), ElementsAre("> aaa", "  bbb", "  ccc"));
  EXPECT_THAT(line.Wrapped(1, "", ""), ElementsAre("aaa", "bbb", "ccc"));
  EXPECT_THAT(Of({}).Wrapped(80, "> ", ""), IsEmpty());
}

}  // namespace
}  // namespace dray
