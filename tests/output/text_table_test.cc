#include "src/output/text_table.h"

#include <gtest/gtest.h>

namespace dray {
namespace {

const std::vector<TextRow> kRows = {{"policy", "cost"}, {"none", "1 ± 2"}, {"a, \"b\"", "10"}};

TEST(TextTable, AlignsByCharactersNotBytes) {
  EXPECT_EQ(AlignedTable(kRows),
            "policy   cost\n"
            "none    1 ± 2\n"
            "a, \"b\"     10\n");
}

TEST(TextTable, InMarkdownHasARuleBelowItsHeader) {
  EXPECT_EQ(MarkdownTable(kRows),
            "| policy | cost |\n"
            "| --- | ---: |\n"
            "| none | 1 ± 2 |\n"
            "| a, \"b\" | 10 |\n");
}

TEST(TextTable, AsCsvQuotesWhatNeedsIt) {
  EXPECT_EQ(CsvTable(kRows), "policy,cost\nnone,1 ± 2\n\"a, \"\"b\"\"\",10\n");
}

}  // namespace
}  // namespace dray
