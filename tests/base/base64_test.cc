#include "src/base/base64.h"

#include <gtest/gtest.h>

#include "src/base/error.h"

namespace dray {
namespace {

TEST(Base64, TheExamplesOfTheStandardHold) {
  EXPECT_EQ(ToBase64(""), "");
  EXPECT_EQ(ToBase64("f"), "Zg==");
  EXPECT_EQ(ToBase64("fo"), "Zm8=");
  EXPECT_EQ(ToBase64("foo"), "Zm9v");
  EXPECT_EQ(ToBase64("foobar"), "Zm9vYmFy");
}

TEST(Base64, AllBytesComeBack) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    bytes += static_cast<char>(i);
    EXPECT_EQ(FromBase64(ToBase64(bytes), "bytes"), bytes);
  }
}

TEST(Base64, AnythingElseIsAnError) {
  for (const char* text : {"Zg", "Zg=", "Zh==", "Zm9v=", "Zm 9v", "Zm9v\n", "====", "Zg==Zg=="}) {
    EXPECT_THROW(FromBase64(text, "a text"), Error) << text;
  }
}

}  // namespace
}  // namespace dray
