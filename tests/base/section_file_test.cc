#include "src/base/section_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"

namespace dray {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const SectionFormat kOld = {.mark = "MARK",
                            .description = "a file of this test",
                            .sections = {{"count", Section::Form::kNumber}, {"text"}}};
const SectionFormat kNew = {.mark = "MARK",
                            .description = "a file of this test",
                            .sections = {{"count", Section::Form::kNumber},
                                         {"text"},
                                         {"mean", Section::Form::kNumber, /*added_later=*/true},
                                         {"note", Section::Form::kBytes, /*added_later=*/true},
                                         {"parts", Section::Form::kList, /*added_later=*/true}}};

std::string OldFile() {
  SectionWriter out(kOld);
  out.PutNumber<int64_t>("count", -3);
  out.PutBytes("text", std::string_view("te\0t", 4));
  return out.Finish();
}

std::string NewFile() {
  SectionWriter out(kNew);
  out.PutNumber<int64_t>("count", 7);
  out.PutBytes("text", "");
  out.PutNumber("mean", 2.5);
  out.PutBytes("note", "n");
  out.PutList("parts", std::vector<std::string>{"one", "", "three"});
  return out.Finish();
}

std::string ErrorOf(std::string_view file) {
  try {
    SectionReader(kNew, file, "some/path");
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(SectionFile, WhatIsReadIsWhatWasWritten) {
  const std::string file = NewFile();
  const SectionReader in(kNew, file, "some/path");
  EXPECT_EQ(in.Number<int64_t>("count"), 7);
  EXPECT_EQ(in.Bytes("text"), "");
  EXPECT_EQ(in.Number<double>("mean"), 2.5);
  EXPECT_EQ(in.Bytes("note"), "n");
  EXPECT_THAT(in.List("parts"), ElementsAre("one", "", "three"));
}

TEST(SectionFile, SectionsAddedSinceAFileWasWrittenAreEmpty) {
  const std::string file = OldFile();
  const SectionReader in(kNew, file, "some/path");
  EXPECT_EQ(in.Number<int64_t>("count"), -3);
  EXPECT_EQ(in.Bytes("text"), std::string_view("te\0t", 4));
  EXPECT_EQ(in.Number<double>("mean"), 0);
  EXPECT_EQ(in.Bytes("note"), "");
  EXPECT_THAT(in.List("parts"), IsEmpty());
}

// Files are read by other versions and other programs: the bytes are a contract.
TEST(SectionFile, TheBytesAreMarkLengthChecksumAndSections) {
  const std::string body("\xfd\xff\xff\xff\xff\xff\xff\xff\4\0\0\0\0\0\0\0te\0t", 20);
  ByteWriter header;
  header.Put<uint64_t>(body.size());
  header.Put<uint32_t>(Crc32c(body));
  EXPECT_EQ(OldFile(), "MARK" + header.bytes() + body);
}

TEST(SectionFile, EveryTruncationAndEveryFlippedBitIsAnErrorThatNamesTheFile) {
  const std::string file = NewFile();
  ASSERT_EQ(ErrorOf(file), "");
  for (size_t size = 0; size < file.size(); ++size) {
    EXPECT_THAT(ErrorOf(file.substr(0, size)), HasSubstr("some/path")) << size;
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = file;
      damaged[size] = static_cast<char>(damaged[size] ^ (1 << bit));
      EXPECT_THAT(ErrorOf(damaged), HasSubstr("some/path")) << size << " " << bit;
    }
  }
  EXPECT_THAT(ErrorOf(file + "x"), HasSubstr("some/path is truncated"));
  EXPECT_EQ(ErrorOf("other"), "some/path is not a file of this test");
}

TEST(SectionFile, AFileOfAnotherVersionIsSaidToBe) {
  const SectionFormat format = {.mark = "MARK2", .description = "a file", .sections = {{"text"}}};
  const auto error_of = [&](std::string_view file) -> std::string {
    try {
      SectionReader(format, file, "some/path");
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(error_of("MARK1 and so on"),
            "some/path was written by an older version of Dray (format 1; this one reads format "
            "2): use it with that version");
  EXPECT_THAT(error_of("MARK3"), HasSubstr("by a newer version of Dray (format 3; this one"));
  for (const char* other : {"MARK", "MARKx", "MARX1", "", "1"}) {
    EXPECT_EQ(error_of(other), "some/path is not a file") << other;
  }
}

TEST(SectionFileDeathTest, ASectionOutOfOrderIsABug) {
  SectionWriter out(kOld);
  EXPECT_DEATH(out.PutBytes("text", ""), "section.name == name");
  EXPECT_DEATH(out.Finish(), "written_");
}

}  // namespace
}  // namespace dray
