#include "src/cluster/packed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "src/base/error.h"

namespace dray {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Packed, GivesBackWhatWasPacked) {
  const std::vector<std::string> parts = {"", "one", std::string(64, 'x'), std::string(65, 'y')};
  const std::string packed = Packed(parts);
  EXPECT_THAT(Unpacked(packed, "test"), testing::ElementsAreArray(parts));
  EXPECT_THAT(Unpacked(Packed({}), "test"), IsEmpty());
}

TEST(Packed, AlignsEveryPart) {
  const std::vector<std::string_view> parts = {"a", std::string_view("bc")};
  Blob blob;
  PackInto(parts, blob);
  const auto unpacked = Unpacked(blob.view(), "test");
  EXPECT_THAT(unpacked, ElementsAre("a", "bc"));
  for (const std::string_view part : unpacked)
    EXPECT_EQ((part.data() - blob.view().data()) % 64, 0);
}

TEST(Packed, RefusesDamagedBytes) {
  const std::string packed = Packed(std::vector<std::string>{"one", "two"});
  for (size_t size = 0; size < packed.size(); ++size) {
    EXPECT_THROW(Unpacked(packed.substr(0, size), "test"), Error) << size;
  }
  EXPECT_THROW(Unpacked(packed + "x", "test"), Error);
  for (size_t i = 0; i < 24; ++i) {  // the count and the two sizes
    std::string damaged = packed;
    damaged[i] = static_cast<char>(0xff);
    EXPECT_THROW(Unpacked(damaged, "test"), Error) << i;
  }
}

}  // namespace
}  // namespace dray
