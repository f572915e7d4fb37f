#include "src/envs/dvrptw/flexibility/choice_buffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"

namespace dray::dvrptw {
namespace {

using testing::UnorderedElementsAre;

Choice Of(int rider) { return {.rider = rider, .action = 3, .accepted = 1}; }

TEST(ChoiceBuffer, OverwritesTheOldest) {
  ChoiceBuffer buffer(3, 10);
  for (int i = 0; i < 3; ++i) buffer.Add(Of(i));
  EXPECT_THAT(buffer.choices(), UnorderedElementsAre(Of(0), Of(1), Of(2)));
  buffer.Add(Of(3));
  EXPECT_THAT(buffer.choices(), UnorderedElementsAre(Of(1), Of(2), Of(3)));
  for (int i = 4; i < 9; ++i) buffer.Add(Of(i));
  EXPECT_THAT(buffer.choices(), UnorderedElementsAre(Of(6), Of(7), Of(8)));
  EXPECT_EQ(buffer.size(), 3u);
}

TEST(ChoiceBuffer, LoadedItGoesOnOverwritingTheOldest) {
  ChoiceBuffer buffer(3, 10), copy(3, 10);
  for (int i = 0; i < 5; ++i) buffer.Add(Of(i));
  ByteWriter out;
  buffer.Save(out);
  ByteReader in(out.bytes(), "buffer");
  copy.Load(in);
  copy.Add(Of(5));
  EXPECT_THAT(copy.choices(), UnorderedElementsAre(Of(3), Of(4), Of(5)));
}

TEST(ChoiceBuffer, RefusesWhatItCouldNotHaveSaved) {
  ChoiceBuffer large(5, 10), small(3, 10), fewer_riders(5, 2);
  for (int i = 0; i < 5; ++i) large.Add(Of(i));
  ByteWriter out;
  large.Save(out);
  ByteReader first(out.bytes(), "buffer"), second(out.bytes(), "buffer");
  EXPECT_THROW(small.Load(first), Error);
  EXPECT_THROW(fewer_riders.Load(second), Error);
}

TEST(ChoiceBuffer, AnswersFitTheTypesThatWouldGiveThem) {
  EXPECT_EQ(FittingTypes(kNoShift, true), kAllTypes);
  EXPECT_EQ(FittingTypes(13, true), 0b1001);   // late dropoff, both
  EXPECT_EQ(FittingTypes(13, false), 0b0110);  // early pickup, none
  EXPECT_EQ(FittingTypes(0, true), 0b1010);    // early pickup, both
  EXPECT_EQ(FittingTypes(3, true), 0b1000);
  EXPECT_EQ(FittingTypes(3, false), 0b0111);
}

}  // namespace
}  // namespace dray::dvrptw
