#include "src/routing/csv_cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/config/error_text.h"

namespace dray {
namespace {

using testing::ElementsAre;

using Cells = std::vector<std::string>;

// The values of a text's last line.
Cells LastOf(const std::string& text) {
  const TextFile file("f.csv", text);
  return CsvCells(file).Split(file.lines().back());
}

double NumberOf(const std::string& header, const std::string& cell) {
  const TextFile file("f.csv", header);
  return CsvCells(file).Number(2, "x", cell);
}

TEST(CsvCells, TheFirstLineSaysWhatSeparates) {
  EXPECT_THAT(LastOf("a,b\n1,2;3"), ElementsAre("1", "2;3"));
  EXPECT_THAT(LastOf("a;b\n1,5;2"), ElementsAre("1,5", "2"));
  EXPECT_THAT(LastOf("a\tb\n1,5\t2;3"), ElementsAre("1,5", "2;3"));
  EXPECT_THAT(LastOf("0\t10,5\t20"), ElementsAre("0", "10,5", "20"));
  EXPECT_THAT(LastOf("one"), ElementsAre("one"));
  EXPECT_THAT(LastOf("\"a;b\",c"), ElementsAre("a;b", "c"));
}

TEST(CsvCells, BlanksAroundValuesAreNoPartOfThem) {
  EXPECT_THAT(LastOf(" a ,\t b\t, c d \r\n"), ElementsAre("a", "b", "c d"));
  EXPECT_THAT(LastOf("a ; \t b"), ElementsAre("a", "b"));
  EXPECT_THAT(LastOf("\xEF\xBB\xBF"
                     "a;b\r\n"),
              ElementsAre("a", "b"));
}

TEST(CsvCells, EmptyValuesAreKept) {
  EXPECT_THAT(LastOf("a,b,c\n,,"), ElementsAre("", "", ""));
  EXPECT_THAT(LastOf("a\tb\tc\n\t1\t\r\n"), ElementsAre("", "1", ""));
  EXPECT_TRUE(AllEmpty(LastOf("a;b\n;")));
  EXPECT_FALSE(AllEmpty(LastOf("a;b\n;0")));
}

TEST(CsvCells, QuotedValuesMayHoldSeparatorsAndQuotes) {
  EXPECT_THAT(LastOf("a,b\n\"x, y\", \"he said \"\"no\"\"\" "),
              ElementsAre("x, y", "he said \"no\""));
  EXPECT_THAT(LastOf("a,b\nO\"Neil,\"\""), ElementsAre("O\"Neil", ""));
  EXPECT_EQ(UsageErrorOf([] { LastOf("a,b\n1,\"x\n"); }),
            "f.csv:2: quotes: a quote is not closed in value 2; write \"a value\" within one line, "
            "and \"\" for a quote in it");
  EXPECT_EQ(
      UsageErrorOf([] { LastOf("a,b\n\"x\"y,1\n"); }),
      "f.csv:2: quotes: text follows a closing quote in value 1; write \"a value\" within one "
      "line, and \"\" for a quote in it");
}

TEST(CsvCells, TextThatIsNotUtf8IsRefused) {
  EXPECT_THAT(LastOf("a,b\nZo\xC3\xAB,\xE2\x82\xAC 5"),
              ElementsAre("Zo\xC3\xAB", "\xE2\x82\xAC 5"));
  for (const char* text : {"a,b\nZo\xEB,1\n", "a,b\nZo\xEB\n", "a,b\n\xC3\n", "a,b\n\x80 5,1\n"}) {
    EXPECT_EQ(UsageErrorOf([&] { LastOf(text); }),
              "f.csv:2: format: the text is not UTF-8, perhaps Latin-1 or Windows-1252; save it as "
              "UTF-8, or convert it: iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW_FILE");
  }
}

TEST(CsvCells, ACommaIsADecimalPointWhereNoneSeparates) {
  EXPECT_EQ(NumberOf("a;b", "10,5"), 10.5);
  EXPECT_EQ(NumberOf("a\tb", "-0,25"), -0.25);
  EXPECT_EQ(NumberOf("a;b", "10.5"), 10.5);
  for (const char* header : {"a,b", "a;b"}) {
    EXPECT_EQ(UsageErrorOf([&] { NumberOf(header, "1.234,5"); }),
              "f.csv:2: x: expected a number, found '1.234,5'; fix it");
  }
  // May as well be a thousand.
  EXPECT_EQ(UsageErrorOf([&] { NumberOf("a,b", "1,234"); }),
            "f.csv:2: x: expected a number, found '1,234'; fix it");
}

}  // namespace
}  // namespace dray
