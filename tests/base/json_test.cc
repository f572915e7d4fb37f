#include "src/base/json.h"

#include <gtest/gtest.h>

#include <limits>

namespace dray {
namespace {

TEST(Json, TextKeepsTheOrderAndEscapesWhatItMust) {
  EXPECT_EQ(JsonText({{"b", "a\"b\\c\n"}, {"a", "Straße"}}),
            "{\"b\":\"a\\\"b\\\\c\\n\",\"a\":\"Straße\"}");
}

TEST(Json, BytesThatAreNoTextAreReplaced) { EXPECT_EQ(JsonText("\xff"), "\"\uFFFD\""); }

TEST(Json, NumbersThatAreNotFiniteAreNull) {
  EXPECT_EQ(JsonText(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(JsonText(0.1), "0.1");
}

}  // namespace
}  // namespace dray
