#include "src/oracle/codec.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/oracle/insertion.h"
#include "tests/oracle/random_problems.h"

namespace dray {
namespace {

// Problems of two cities, with plans for them.
struct Batch {
  explicit Batch(int requests = 5) {
    for (int i = 0; i < 4; ++i) {
      Rng rng(1, RngPurpose::kTest, i);
      problems.push_back(AnyRandomProblem(requests, rng));
      if (i >= 2) problems[i].travel = problems[1].travel, problems[i].stops.clear();
      if (i >= 2) problems[i].requests.clear();
    }
    for (const Problem& problem : problems) {
      pointers.push_back(&problem);
      answers.push_back(InsertionOracle().SolveOne(problem));
    }
    for (const OracleAnswer& answer : answers) plans.push_back(&answer.plan);
  }

  std::vector<uint64_t> Cities() const {
    return {problems[0].travel.fingerprint(), problems[1].travel.fingerprint()};
  }
  std::string Encoded() const {
    return EncodeRequest(OracleTask::kImprove, pointers, plans, Cities());
  }

  std::vector<Problem> problems;
  std::vector<const Problem*> pointers;
  std::vector<OracleAnswer> answers;
  std::vector<const Plan*> plans;
};

// All that travels, so that equal strings are equal problems.
std::string BytesOf(const Problem& problem) {
  const Problem* pointer = &problem;
  const uint64_t city = problem.travel.fingerprint();
  return EncodeRequest(OracleTask::kSolve, {&pointer, 1}, {}, {&city, 1});
}

TEST(OracleCodec, ARequestArrivesAsItWasSent) {
  const Batch batch;
  KnownCities cities(1 << 20);
  const OracleRequest request = DecodeRequest(batch.Encoded(), cities);
  EXPECT_EQ(request.task, OracleTask::kImprove);
  EXPECT_TRUE(request.unknown.empty());
  ASSERT_EQ(request.problems.size(), 4u);
  ASSERT_EQ(request.plans.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    const Problem &sent = batch.problems[i], &found = request.problems[i];
    EXPECT_EQ(BytesOf(found), BytesOf(sent));
    EXPECT_EQ(found.stops.size(), sent.stops.size());
    EXPECT_EQ(found.fleet.hard, sent.fleet.hard);
    EXPECT_EQ(found.ticks_per_unit, sent.ticks_per_unit);
    EXPECT_EQ(request.plans[i].routes, batch.plans[i]->routes);
  }
  // Problems of one city share its memory here too.
  EXPECT_EQ(request.problems[1].travel.times().data(), request.problems[2].travel.times().data());
}

TEST(OracleCodec, AMatrixTravelsOnlyWhenItIsAskedFor) {
  const Batch batch;
  const std::string small = EncodeRequest(OracleTask::kSolve, batch.pointers, {}, {});
  const std::string large = EncodeRequest(OracleTask::kSolve, batch.pointers, {}, batch.Cities());
  const size_t matrices =
      batch.problems[0].travel.times().size_bytes() + batch.problems[1].travel.times().size_bytes();
  EXPECT_GE(large.size(), small.size() + matrices);
  EXPECT_LT(large.size(), small.size() + matrices + 50);

  KnownCities cities(1 << 20);
  OracleRequest request = DecodeRequest(small, cities);
  std::vector<uint64_t> expected = batch.Cities();
  std::ranges::sort(expected);
  EXPECT_EQ(request.unknown, expected);
  EXPECT_TRUE(request.problems.empty());
  EXPECT_EQ(DecodeRequest(large, cities).problems.size(), 4u);
  request = DecodeRequest(small, cities);
  EXPECT_TRUE(request.unknown.empty());
  EXPECT_EQ(BytesOf(request.problems[1]), BytesOf(batch.problems[1]));
}

TEST(OracleCodec, ARequestBringsItsOwnCitiesThroughAShelfWithRoomForOne) {
  const Batch batch;
  KnownCities cities(1);
  EXPECT_EQ(DecodeRequest(batch.Encoded(), cities).problems.size(), 4u);
}

TEST(OracleCodec, AReplyArrivesAsItWasSent) {
  const Batch batch;
  const OracleReply reply =
      DecodeReply(EncodeReply({.answers = batch.answers, .unknown = {}}), batch.pointers);
  ASSERT_EQ(reply.answers.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    const PlanCost &sent = batch.answers[i].cost, &found = reply.answers[i].cost;
    EXPECT_EQ(found.travel, sent.travel);
    EXPECT_EQ(found.vehicles, sent.vehicles);
    EXPECT_EQ(found.extra_vehicles, sent.extra_vehicles);
    EXPECT_EQ(found.unserved, sent.unserved);
    EXPECT_EQ(reply.answers[i].plan.routes, batch.answers[i].plan.routes);
  }
  const OracleReply unknown =
      DecodeReply(EncodeReply({.answers = {}, .unknown = {3, 4}}), batch.pointers);
  EXPECT_EQ(unknown.unknown, (std::vector<uint64_t>{3, 4}));
}

TEST(OracleCodec, AReplyOfAnotherSizeOrWithUnknownStopsIsAnError) {
  const Batch batch;
  std::vector<OracleAnswer> answers = batch.answers;
  answers[0].plan.routes = {{static_cast<int>(batch.problems[0].stops.size())}};
  EXPECT_THROW(DecodeReply(EncodeReply({.answers = answers, .unknown = {}}), batch.pointers),
               Error);
  answers = batch.answers;
  answers.pop_back();
  EXPECT_THROW(DecodeReply(EncodeReply({.answers = answers, .unknown = {}}), batch.pointers),
               Error);
}

TEST(OracleCodec, TruncatedBytesAreAnError) {
  const Batch batch;
  const std::string request = batch.Encoded();
  const std::string reply = EncodeReply({.answers = batch.answers, .unknown = {}});
  ASSERT_FALSE(request.empty());
  ASSERT_FALSE(reply.empty());
  KnownCities cities(1 << 20);
  for (size_t size = 0; size < request.size(); ++size) {
    EXPECT_THROW(DecodeRequest(std::string_view(request).substr(0, size), cities), Error) << size;
  }
  for (size_t size = 0; size < reply.size(); ++size) {
    EXPECT_THROW(DecodeReply(std::string_view(reply).substr(0, size), batch.pointers), Error)
        << size;
  }
}

TEST(OracleCodec, AFlippedBitIsAnError) {
  const Batch batch;
  std::string request = batch.Encoded();
  std::string reply = EncodeReply({.answers = batch.answers, .unknown = {}});
  ASSERT_FALSE(request.empty());
  ASSERT_FALSE(reply.empty());
  KnownCities cities(1 << 20);
  for (size_t i = 0; i < request.size(); ++i) {
    request[i] ^= static_cast<char>(1 << i % 8);
    EXPECT_THROW(DecodeRequest(request, cities), Error) << i;
    request[i] ^= static_cast<char>(1 << i % 8);
  }
  for (size_t i = 0; i < reply.size(); ++i) {
    reply[i] ^= static_cast<char>(1 << i % 8);
    EXPECT_THROW(DecodeReply(reply, batch.pointers), Error) << i;
    reply[i] ^= static_cast<char>(1 << i % 8);
  }
}

// Writes the checksum that fits what is there now.
void Seal(std::string& bytes) {
  ByteWriter out;
  out.Put(Fingerprint(std::string_view(bytes).substr(0, bytes.size() - 8)));
  bytes.replace(bytes.size() - 8, 8, out.bytes());
}

// Nonsense under a checksum that fits is either refused or harmless to an oracle.
TEST(OracleCodec, WhatPassesCanBeWorkedOn) {
  const Batch batch(3);
  const std::string whole = batch.Encoded();
  int refused = 0, worked_on = 0;
  for (size_t i = 0; i + 8 < whole.size(); ++i) {
    for (const int flip : {0x01, 0x80, 0xFF}) {
      std::string bytes = whole;
      bytes[i] ^= static_cast<char>(flip);
      Seal(bytes);
      KnownCities cities(1 << 20);
      try {
        const OracleRequest request = DecodeRequest(bytes, cities);
        for (size_t p = 0; p < request.problems.size(); ++p) {
          InsertionOracle oracle;
          const OracleAnswer answer =
              request.plans.empty() ? oracle.SolveOne(request.problems[p])
                                    : oracle.ImproveOne(request.problems[p], request.plans[p]);
          const Problem* pointer = &request.problems[p];
          const std::string reply = EncodeReply({.answers = {answer}, .unknown = {}});
          EXPECT_EQ(DecodeReply(reply, {&pointer, 1}).answers[0].plan.routes, answer.plan.routes);
        }
        ++worked_on;
      } catch (const Error&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(worked_on, 100);
}

TEST(OracleCodec, NonsenseIsRefused) {
  const auto refused = [](auto change) {
    Rng rng(3, RngPurpose::kTest, 0);
    Problem problem = RandomDeliveryProblem(3, rng);
    change(problem);
    const Problem* pointer = &problem;
    const uint64_t city = problem.travel.fingerprint();
    KnownCities cities(1 << 20);
    try {
      DecodeRequest(EncodeRequest(OracleTask::kSolve, {&pointer, 1}, {}, {&city, 1}), cities);
    } catch (const Error&) {
      return true;
    }
    return false;
  };
  EXPECT_FALSE(refused([](Problem&) {}));
  // Nobody can serve it, but an environment may ask.
  EXPECT_FALSE(refused([](Problem& p) { p.stops[0].opens = p.stops[0].closes = -5; }));
  EXPECT_TRUE(refused([](Problem& p) { p.fleet.capacity = 0; }));
  EXPECT_TRUE(refused([](Problem& p) { p.depot = p.travel.places(); }));
  EXPECT_TRUE(refused([](Problem& p) { p.depot_closes = p.depot_opens - 1; }));
  EXPECT_TRUE(refused([](Problem& p) { p.stops[1].place = -1; }));
  EXPECT_TRUE(refused([](Problem& p) { p.stops[1].closes = kMaxTicks + 1; }));
  EXPECT_TRUE(refused([](Problem& p) { p.stops[1].load = -2; }));
  EXPECT_TRUE(refused([](Problem& p) { p.requests[0].delivery = 6; }));
  EXPECT_TRUE(refused([](Problem& p) { p.requests[0] = p.requests[1]; }));
  EXPECT_TRUE(refused([](Problem& p) { p.requests.pop_back(); }));
  EXPECT_TRUE(refused([](Problem& p) { p.travel = TravelMatrix(1, {-1}); }));
  EXPECT_TRUE(refused([](Problem& p) { p.stops.resize(40'000); }));
  // A search would empty a route and open it again for ever.
  EXPECT_TRUE(refused([](Problem& p) {
    std::vector<Ticks> times(p.travel.times().begin(), p.travel.times().end());
    times[static_cast<size_t>(p.depot) * p.travel.places() + p.depot] = 1;
    p.travel = TravelMatrix(p.travel.places(), times);
  }));
}

}  // namespace
}  // namespace dray
