#include "src/base/json.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

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

std::string Nested(int levels) {
  return std::string(static_cast<size_t>(levels), '[') +
         std::string(static_cast<size_t>(levels), ']');
}

TEST(Json, TextNestedTooDeeplyIsDiscarded) {
  EXPECT_FALSE(ParsedJson(Nested(kMostJsonDepth)).is_discarded());
  EXPECT_TRUE(ParsedJson(Nested(kMostJsonDepth + 1)).is_discarded());
  EXPECT_TRUE(ParsedJson(Nested(300'000)).is_discarded());
  EXPECT_TRUE(ParsedJson(std::string(300'000, '{')).is_discarded());
  std::string chain = "1";
  for (int i = 0; i <= kMostJsonDepth; ++i) chain = "{\"a\":" + chain + "}";
  EXPECT_TRUE(ParsedJson(chain).is_discarded());
}

TEST(Json, BracketsSideBySideOrInTextAreNotNested) {
  std::string wide = "[[]";
  for (int i = 0; i < 1000; ++i) wide += ",{}";
  EXPECT_EQ(ParsedJson(wide + "]").size(), 1001u);
  EXPECT_EQ(ParsedJson("\"" + std::string(100, '[') + "\\\"" + std::string(100, '{') + "\"")
                .get<std::string>()
                .size(),
            201u);
}

TEST(Json, TextWithTooManyMembersIsDiscarded) {
  const auto with_members = [](int count) {
    std::string text = "{\"a:b\":0";
    for (int i = 1; i < count; ++i) text += ",\"" + std::to_string(i) + "\":0";
    return ParsedJson(text + "}");
  };
  EXPECT_EQ(with_members(kMostJsonMembers).size(), size_t{kMostJsonMembers});
  EXPECT_TRUE(with_members(kMostJsonMembers + 1).is_discarded());
}

}  // namespace
}  // namespace dray
