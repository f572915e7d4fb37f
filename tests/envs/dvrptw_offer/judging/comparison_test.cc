#include "src/envs/dvrptw_offer/judging/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/envs/dvrptw_offer/dvrptw_offer.pb.h"
#include "src/envs/dvrptw_offer/judging/comparison_text.h"
#include "src/envs/dvrptw_offer/judging/policies.h"
#include "src/envs/dvrptw_offer/offer_env.h"
#include "src/nets/actor_critic.h"

namespace dray::dvrptw_offer {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr char kFile[] = "tests/data/solomon/25/C101.txt";

Config Task(int customers, int episodes) {
  Config config;
  config.mutable_env()->set_name("dvrptw_offer");
  DvrptwOfferConfig* deliveries =
      config.mutable_env()->MutableExtension(DvrptwOfferConfig::dvrptw_offer);
  deliveries->set_num_customers(customers);
  config.mutable_evaluation()->set_episodes(episodes);
  config.mutable_network()->add_hidden(8);
  return config;
}

delivery::ComparisonOptions Baselines(std::vector<std::string> names) {
  delivery::ComparisonOptions options;
  options.baselines = std::move(names);
  return options;
}

// Of a network that nobody trained.
std::string WeightsFor(const Config& config) {
  const OfferEnv env(config.env().GetExtension(DvrptwOfferConfig::dvrptw_offer), {}, 1);
  Rng rng(3, RngPurpose::kInit, 0);
  return ActorCritic(env.spec(), config.network(), rng, at::kCPU).Publish(1, {}).ToBytes();
}

TEST(Comparison, BaselinesAreInTheOrderTheyShouldBe) {
  const Comparison comparison = Compare(Task(20, 24), Baselines(BaselineNames()));
  ASSERT_EQ(comparison.scores.size(), BaselineNames().size());
  const auto score = [&](const char* policy) -> const PolicyScore& {
    return *comparison.Find(policy);
  };
  EXPECT_EQ(comparison.scores[0].policy, "all_slots");
  EXPECT_LT(score("cheapest_accepted").objective.mean, score("all_slots").objective.mean);
  EXPECT_LT(score("myopic_true").objective.mean, score("myopic").objective.mean);
  // Turning a customer away who would cost much by itself is short-sighted.
  EXPECT_LT(score("cheapest_accepted").objective.mean, score("myopic_true").objective.mean);
  // Whoever is offered one slot alone goes elsewhere more often.
  EXPECT_LT(score("cheapest_slot").served.mean, score("cheapest_two").served.mean);
  EXPECT_LT(score("cheapest_two").served.mean, score("all_slots").served.mean);
  EXPECT_LT(score("cheapest_slot").objective.mean, score("first_slot").objective.mean);
  // Who takes any slot is served by every policy.
  EXPECT_EQ(score("first_slot").served_by_type[3], 1);
  EXPECT_GT(score("first_slot").served_by_type[1], score("first_slot").served_by_type[0]);
}

TEST(Comparison, TheObjectiveIsTheJudgesCostAndWhatTheLostOnesCost) {
  const Comparison comparison = Compare(Task(15, 6), Baselines({"cheapest_slot"}));
  for (const PolicyScore& score : comparison.scores) {
    int64_t served = 0;
    double cost = 0;
    for (const JudgedDay& day : score.days) {
      EXPECT_NEAR(day.objective, day.cost + day.lost_penalty * (day.customers - day.served), 1e-9);
      const Simulation driven = Simulate(day.problem, day.plan);
      EXPECT_TRUE(driven.violations.empty());
      EXPECT_EQ(driven.cost.unserved, 0);
      EXPECT_NEAR(day.cost, static_cast<double>(driven.cost.total()) / 10, 1e-9);
      // The judge searches longer than the oracle of the day did.
      EXPECT_LT(day.cost, 1.02 * day.played_cost + 1e-9);
      EXPECT_EQ(day.problem.requests.size(), static_cast<size_t>(day.served));
      EXPECT_EQ(day.asked.size(), static_cast<size_t>(day.served));
      const auto& taken = day.served_by_type;
      EXPECT_EQ(std::accumulate(taken.begin(), taken.end(), 0), day.served);
      served += day.served;
      cost += day.cost;
    }
    EXPECT_NEAR(score.cost_per_served, cost / static_cast<double>(served), 1e-9);
  }
}

TEST(Comparison, EveryPolicyMeetsTheSameCustomers) {
  const Comparison comparison = Compare(Task(10, 4), Baselines({"random", "myopic"}));
  for (const PolicyScore& score : comparison.scores) {
    for (size_t i = 0; i < 4; ++i) {
      const JudgedDay& reference = comparison.scores[0].days[i];
      EXPECT_EQ(score.days[i].asked_by_type, reference.asked_by_type);
      EXPECT_EQ(score.days[i].lost_penalty, reference.lost_penalty);
    }
  }
}

TEST(Comparison, ALearnedPolicyStandsBesideThem) {
  const Config config = Task(8, 5);
  delivery::ComparisonOptions options = Baselines({"myopic"});
  options.weights = WeightsFor(config);
  const Comparison comparison = Compare(config, options);
  ASSERT_EQ(comparison.learned_against.size(), 3u);
  EXPECT_EQ(comparison.scores[2].policy, "learned");
  EXPECT_EQ(comparison.learned_against[2].mean, 0);
  EXPECT_NEAR(comparison.learned_against[0].mean, comparison.scores[2].against_reference.mean,
              1e-9);
  EXPECT_THAT(ComparisonText(comparison), HasSubstr("learned minus this"));
}

TEST(Comparison, AFilesCustomersAreJudgedToo) {
  Config config = Task(25, 3);
  DvrptwOfferConfig* deliveries =
      config.mutable_env()->MutableExtension(DvrptwOfferConfig::dvrptw_offer);
  deliveries->set_instance(kFile);
  const Comparison comparison = Compare(config, Baselines({"first_slot"}));
  EXPECT_THAT(ComparisonText(comparison), HasSubstr("customers of tests/data/solomon"));
  EXPECT_GT(comparison.scores[0].served.mean, 0.2);
}

TEST(Comparison, ReportsSayTheSameInThreeForms) {
  const Comparison comparison = Compare(Task(6, 3), Baselines({"cheapest_slot"}));
  EXPECT_THAT(ComparisonText(comparison), StartsWith("3 paired episodes, seed 1000003, generated"));
  EXPECT_THAT(ComparisonText(comparison), HasSubstr("\ncheapest_slot "));
  EXPECT_THAT(ComparisonMarkdown(comparison), HasSubstr("\n| cheapest_slot |"));
  const Json json = ParsedJson(ComparisonJson(comparison));
  ASSERT_EQ(json["policies"].size(), 2u);
  EXPECT_EQ(json["policies"][1]["policy"], "cheapest_slot");
  EXPECT_EQ(json["policies"][1]["served_by_type"].size(), 4u);
  EXPECT_EQ(json["policies"][1]["objective_by_day"][2], comparison.scores[1].days[2].objective);
  for (const char* name : {"objective", "against_all_slots", "cost", "served", "vehicles"}) {
    EXPECT_TRUE(json["policies"][1][name].contains("ci95")) << name;
  }
}

TEST(Comparison, LookaheadEndsBelowTheRuleThatItRollsOutAndTheSameEachTime) {
  Config config = Task(30, 32);
  OfferLookaheadConfig* lookahead =
      config.mutable_env()->MutableExtension(DvrptwOfferConfig::dvrptw_offer)->mutable_lookahead();
  lookahead->set_futures(16);
  lookahead->set_rounds(0);
  const Comparison comparison = Compare(config, Baselines({"keen", "lookahead"}));
  const double objective = comparison.Find("lookahead")->objective.mean;
  EXPECT_LT(objective, comparison.Find("keen")->objective.mean);
  EXPECT_LT(comparison.Find("keen")->objective.mean, comparison.Find("all_slots")->objective.mean);
  // However its threads raced.
  const Comparison again = Compare(config, Baselines({"lookahead"}));
  EXPECT_EQ(again.Find("lookahead")->objective.mean, objective);
}

TEST(Comparison, AnUnknownBaselineIsNamedBeforeAnythingIsPlayed) {
  delivery::ComparisonOptions options = Baselines({"first_slot", "wishful"});
  options.progress = [](const std::string&, int, int) { FAIL(); };
  try {
    Compare(Task(5, 1), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("no baseline \"wishful\" in dvrptw_offer; known: all, "
                                        "all_slots, random, first_slot"));
    EXPECT_THAT(error.what(), HasSubstr(", lookahead"));
  }
}

}  // namespace
}  // namespace dray::dvrptw_offer
