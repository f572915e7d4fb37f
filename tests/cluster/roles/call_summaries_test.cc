#include "src/cluster/roles/call_summaries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "src/base/error.h"

namespace dray {
namespace {

using testing::HasSubstr;

void Make(CallSummaries& summaries, int64_t call) {
  summaries.Make(call, [call] { return std::to_string(call); });
}

TEST(CallSummaries, AreThoseOfTheirCalls) {
  CallSummaries summaries;
  Make(summaries, 7);
  EXPECT_EQ(summaries.Take(7), "7");
  EXPECT_ANY_THROW(summaries.Make(8, []() -> std::string { throw Failure("no room"); }));
  EXPECT_THAT([&] { summaries.Take(8); }, testing::ThrowsMessage<Error>(HasSubstr("no room")));
}

// Calls that were given up may be made after the one that took their place.
TEST(CallSummaries, AnOlderCallDoesNotReplaceANewerOne) {
  CallSummaries summaries;
  Make(summaries, 8);
  Make(summaries, 7);
  EXPECT_EQ(summaries.Take(8), "8");
  EXPECT_THAT([&] { summaries.Take(7); },
              testing::ThrowsMessage<Error>(HasSubstr("call 7 never came")));
}

}  // namespace
}  // namespace dray
