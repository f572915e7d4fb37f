#include "src/envs/cage2/red_mixture.h"

#include <gtest/gtest.h>

#include <array>

#include "src/base/error.h"

namespace dray::cage2 {
namespace {

std::string ErrorOf(const std::string& text) {
  try {
    RedMixture mixture(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(RedMixture, OneAgentTakesNoChance) {
  Rng rng(3, RngPurpose::kTest, 0), untouched(3, RngPurpose::kTest, 0);
  const RedMixture mixture("meander");
  for (int i = 0; i < 10; ++i) EXPECT_EQ(mixture.Draw(rng), RedAgent::kMeander);
  EXPECT_EQ(rng.Next32(), untouched.Next32());
}

TEST(RedMixture, SharesAreShares) {
  Rng rng(3, RngPurpose::kTest, 0);
  const RedMixture mixture("0.5 bline, 0.3 meander, 0.2 sleep");
  std::array<int, 3> seen{};
  constexpr int kDraws = 100000;
  for (int i = 0; i < kDraws; ++i) ++seen[static_cast<size_t>(mixture.Draw(rng))];
  EXPECT_NEAR(seen[0], 0.5 * kDraws, 800);
  EXPECT_NEAR(seen[1], 0.3 * kDraws, 800);
  EXPECT_NEAR(seen[2], 0.2 * kDraws, 800);
}

TEST(RedMixture, AThirdEachIsNearEnough) {
  EXPECT_EQ(ErrorOf("0.3333 bline, 0.3333 meander, 0.3333 sleep"), "");
}

TEST(RedMixture, SharesOfOneAgentAddUp) {
  Rng rng(3, RngPurpose::kTest, 0);
  const RedMixture mixture("0.5 bline, 0.5 bline");
  for (int i = 0; i < 10; ++i) EXPECT_EQ(mixture.Draw(rng), RedAgent::kBline);
}

TEST(RedMixture, MistakesAreOneLine) {
  EXPECT_EQ(ErrorOf("0.5 bline, 0.4 meander"),
            "env.cage2.red: the shares of \"0.5 bline, 0.4 meander\" sum to 0.9, not to 1");
  EXPECT_NE(ErrorOf("blein").find("blein"), std::string::npos);
  EXPECT_NE(ErrorOf("half bline, half meander"), "");
  EXPECT_NE(ErrorOf("-1 bline, 2 meander"), "");
  EXPECT_NE(ErrorOf("nan bline"), "");
  EXPECT_NE(ErrorOf(""), "");
}

}  // namespace
}  // namespace dray::cage2
