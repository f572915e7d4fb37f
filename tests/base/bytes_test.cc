#include "src/base/bytes.h"

#include <gtest/gtest.h>

#include "src/base/error.h"

namespace dray {
namespace {

TEST(Bytes, WhatIsWrittenIsRead) {
  ByteWriter out;
  out.Put<int32_t>(-5);
  out.PutVector(std::vector<float>{1.5f, -2.0f});
  out.PutString("orders");
  ByteReader in(out.bytes(), "test bytes");
  EXPECT_EQ(in.Get<int32_t>(), -5);
  EXPECT_EQ(in.GetVector<float>(), (std::vector<float>{1.5f, -2.0f}));
  EXPECT_EQ(in.GetString(), "orders");
  EXPECT_TRUE(in.AtEnd());
}

TEST(Bytes, EveryTruncationIsAnError) {
  ByteWriter out;
  out.Put<int32_t>(1);
  out.PutVector(std::vector<double>{1, 2, 3});
  ASSERT_EQ(out.bytes().size(), 4u + 8u + 3u * 8u);
  for (size_t size = 0; size < out.bytes().size(); ++size) {
    ByteReader in(std::string_view(out.bytes()).substr(0, size), "test bytes");
    EXPECT_THROW(
        {
          in.Get<int32_t>();
          in.GetVector<double>();
        },
        Error)
        << size;
  }
}

TEST(Bytes, ACountBeyondTheEndIsAnErrorAndNotAnAllocation) {
  ByteWriter out;
  out.Put<uint64_t>(uint64_t{1} << 60);
  ByteReader in(out.bytes(), "test bytes");
  EXPECT_THROW(in.GetVector<double>(), Error);
}

TEST(Bytes, LeftOverBytesAreAnError) {
  ByteReader in("x", "test bytes");
  EXPECT_THROW(in.ExpectEnd(), Error);
}

// The check value of the CRC catalogue for CRC-32C.
TEST(Bytes, ChecksumGivesTheKnownAnswer) { EXPECT_EQ(Crc32c("123456789"), 0xE3069283u); }

TEST(Bytes, AFingerprintTellsContentsApart) {
  std::string bytes = "nineteen characters";
  const uint64_t whole = Fingerprint(bytes);
  EXPECT_EQ(Fingerprint(std::string(bytes)), whole);
  EXPECT_NE(Fingerprint(bytes + '\0'), whole);
  EXPECT_NE(Fingerprint(""), Fingerprint(std::string(8, '\0')));
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= static_cast<char>(1 << bit % 8);
    EXPECT_NE(Fingerprint(bytes), whole) << bit;
    bytes[bit / 8] ^= static_cast<char>(1 << bit % 8);
  }
}

}  // namespace
}  // namespace dray
