#include "src/envs/cage2/workflow.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "src/base/error.h"
#include "src/envs/cage2/blue_actions.h"
#include "tests/envs/cage2/scenario2.h"

namespace dray::cage2 {
namespace {

using Verdict = Compliance::Verdict;

constexpr Order kOrder = {Unit::kUser, Unit::kOpServer, Unit::kEnterprise, Unit::kDefender,
                          Unit::kOpHost};

int Remove(int host) { return ActionId(BlueKind::kRemove, host); }
int Restore(int host) { return ActionId(BlueKind::kRestore, host); }

Verdict FixA(Compliance& compliance, int action) {
  return compliance.OnFix(action, {}, kOrder, Definition::kFixedBefore, ShippedNetwork());
}

TEST(Workflow, EveryHostHasAKind) {
  const std::vector<Unit> expected = {
      Unit::kDefender, Unit::kEnterprise, Unit::kEnterprise, Unit::kEnterprise, Unit::kOpHost,
      Unit::kOpHost,   Unit::kOpHost,     Unit::kOpServer,   Unit::kUser,       Unit::kUser,
      Unit::kUser,     Unit::kUser,       Unit::kUser};
  for (int host = 0; host < kHosts; ++host) EXPECT_EQ(FactsOf(host).unit, expected[host]) << host;
}

TEST(Workflow, AnOrderIsShownPositionByPosition) {
  std::vector<float> values(kOrderValues, 7);
  WriteOrder(kOrder, values);
  for (int position = 0; position < kUnits; ++position) {
    for (int unit = 0; unit < kUnits; ++unit) {
      EXPECT_EQ(values[5 * position + unit], static_cast<int>(kOrder[position]) == unit);
    }
  }
}

TEST(Workflow, AnOrderThatIsNoPermutationIsAnError) {
  const std::vector<Unit> twice = {Unit::kUser, Unit::kUser, Unit::kEnterprise, Unit::kDefender,
                                   Unit::kOpHost};
  try {
    OrderOf(twice);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "env.cage2.workflow.order: [user, user, enterprise, defender, op_host] names "
              "op_server not at all; an order has each of defender, enterprise, op_server, op_host "
              "and user once");
  }
  EXPECT_THROW(OrderOf({}), Error);
}

TEST(Workflow, RandomOrdersComeToAllOfThem) {
  Rng rng(1, RngPurpose::kTest, 0);
  std::set<Order> seen;
  for (int i = 0; i < 3000; ++i) seen.insert(RandomOrder(rng));
  EXPECT_EQ(seen.size(), 120u);
}

TEST(Compliance, WithoutAFixTheRateIsOneHalf) {
  Compliance compliance;
  EXPECT_EQ(compliance.rate(), 0.5);
  EXPECT_EQ(compliance.fixes(), 0);
}

TEST(Workflow, FixesAreRemoveAndRestore) {
  for (const int neutral : {0, 1, 2, 28, 131})
    EXPECT_FALSE(IsFix(neutral, ShippedNetwork())) << neutral;
  for (const int fix : {15, 27, 132, 144}) EXPECT_TRUE(IsFix(fix, ShippedNetwork())) << fix;
}

TEST(Workflow, AFixMendsWhereItThrowsRedOut) {
  const Intrusion ssh_on_enterprise = {.sessions = Bit(kUser0) | Bit(kEnterprise0)};
  EXPECT_TRUE(Mends(Restore(kEnterprise0), ssh_on_enterprise, ShippedNetwork()));
  EXPECT_FALSE(Mends(Remove(kEnterprise0), ssh_on_enterprise, ShippedNetwork()))
      << "no process is known";
  EXPECT_FALSE(Mends(Restore(kEnterprise1), ssh_on_enterprise, ShippedNetwork()));
  EXPECT_FALSE(Mends(Restore(kUser0), ssh_on_enterprise, ShippedNetwork())) << "the foothold stays";
  EXPECT_TRUE(
      Mends(Remove(kUser2), {.sessions = Bit(kUser2), .removable = Bit(kUser2)}, ShippedNetwork()));
  EXPECT_FALSE(Mends(/*Analyse=*/2 + kEnterprise0, ssh_on_enterprise, ShippedNetwork()));
}

TEST(Compliance, DefinitionAWantsEveryEarlierKindFixedBefore) {
  Compliance compliance;
  EXPECT_EQ(FixA(compliance, Remove(kUser3)), Verdict::kCompliant);
  EXPECT_EQ(FixA(compliance, Restore(kEnterprise1)), Verdict::kViolation);
  EXPECT_EQ(compliance.rate(), 0.5);
  EXPECT_EQ(FixA(compliance, Restore(kOpServer0)), Verdict::kCompliant);
  EXPECT_EQ(FixA(compliance, Remove(kUser1)), Verdict::kCompliant);
  EXPECT_EQ(compliance.rate(), 0.75);
  EXPECT_EQ(compliance.violations(), 1);
}

TEST(Compliance, DefinitionACountsAKindAsFixedEvenByAViolation) {
  Compliance compliance;
  EXPECT_EQ(FixA(compliance, Restore(kOpServer0)), Verdict::kViolation);
  EXPECT_EQ(FixA(compliance, Restore(kUser0)), Verdict::kCompliant);
  EXPECT_EQ(FixA(compliance, Remove(kEnterprise0)), Verdict::kCompliant);
  EXPECT_EQ(compliance.fixed_units(), 0b10110u);
}

TEST(Compliance, DefinitionBWantsTheFirstKindThatIsCompromised) {
  const auto verdict = [](int action, HostMask sessions, const Order& order = kOrder) {
    return Compliance().OnFix(action, {.sessions = sessions}, order, Definition::kFirstCompromised,
                              ShippedNetwork());
  };
  const Order enterprise_first = {Unit::kEnterprise, Unit::kOpServer, Unit::kUser, Unit::kDefender,
                                  Unit::kOpHost};
  EXPECT_EQ(verdict(Remove(kUser2), Bit(kUser0)), Verdict::kCompliant);
  EXPECT_EQ(verdict(Remove(kEnterprise1), Bit(kUser0) | Bit(kEnterprise1)), Verdict::kViolation);
  EXPECT_EQ(verdict(Remove(kOpHost1), 0), Verdict::kCompliant);
  EXPECT_EQ(verdict(Restore(kEnterprise0), Bit(kUser0) | Bit(kEnterprise1), enterprise_first),
            Verdict::kCompliant);
  EXPECT_EQ(verdict(Restore(kUser1), Bit(kUser0) | Bit(kOpServer0), enterprise_first),
            Verdict::kViolation);
}

TEST(Compliance, DefinitionCCountsOnlyWhatMends) {
  Compliance compliance;
  const auto fix = [&](int action, HostMask sessions) {
    return compliance.OnFix(action, {.sessions = sessions, .removable = sessions}, kOrder,
                            Definition::kFirstToMend, ShippedNetwork());
  };
  EXPECT_EQ(fix(Remove(kUser2), Bit(kUser0)), Verdict::kNotCounted);
  EXPECT_EQ(fix(Restore(kUser0), Bit(kUser0)), Verdict::kNotCounted);
  EXPECT_EQ(compliance.fixes(), 0);
  EXPECT_EQ(compliance.useless(), 2);
  // User0's foothold, which nobody can mend, asks for nothing.
  EXPECT_EQ(fix(Restore(kEnterprise1), Bit(kUser0) | Bit(kEnterprise1)), Verdict::kCompliant);
  EXPECT_EQ(fix(Restore(kEnterprise1), Bit(kUser3) | Bit(kEnterprise1)), Verdict::kViolation);
  EXPECT_EQ(fix(Remove(kUser3), Bit(kUser3) | Bit(kEnterprise1)), Verdict::kCompliant);
  EXPECT_EQ(compliance.fixes(), 3);
  EXPECT_EQ(compliance.violations(), 1);
  EXPECT_EQ(compliance.useless(), 2);
}

}  // namespace
}  // namespace dray::cage2
