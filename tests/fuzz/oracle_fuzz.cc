// A request to an oracle elsewhere with a checksum that is right, its answer, and a reply.

#include <string>
#include <vector>

#include "src/base/bytes.h"
#include "src/base/rng.h"
#include "src/oracle/codec.h"
#include "src/oracle/insertion.h"
#include "src/oracle/known_cities.h"
#include "src/oracle/remote.h"
#include "tests/fuzz/edits.h"
#include "tests/fuzz/target.h"
#include "tests/oracle/random_problems.h"

namespace dray::fuzz {
namespace {

std::string Resealed(std::string content, std::string_view edits) {
  content.resize(content.size() - sizeof(uint64_t));
  content = Edited(std::move(content), edits);
  ByteWriter seal;
  seal.Put(Fingerprint(content));
  return content + seal.bytes();
}

struct Asked {
  Asked() {
    Rng rng(1, RngPurpose::kTest, 0);
    problems = {RandomProblem({.requests = 3}, rng), RandomProblem({.requests = 2}, rng)};
    for (const Problem& problem : problems) {
      pointers.push_back(&problem);
      cities.push_back(problem.travel.fingerprint());
    }
    answers = InsertionOracle().Solve(pointers);
    for (const OracleAnswer& answer : answers) plans.push_back(&answer.plan);
    solve = EncodeRequest(OracleTask::kSolve, pointers, {}, cities);
    improve = EncodeRequest(OracleTask::kImprove, pointers, plans, cities);
    reply = EncodeReply({.answers = answers});
  }
  std::vector<Problem> problems;
  std::vector<const Problem*> pointers;
  std::vector<const Plan*> plans;
  std::vector<uint64_t> cities;
  std::vector<OracleAnswer> answers;
  std::string solve, improve, reply;
};

}  // namespace

size_t MostMemory(size_t bytes) { return Times(200, bytes + 4000); }

void Read(std::string_view bytes) {
  static const Asked asked;
  KnownCities cities(1 << 20);
  InsertionOracle oracle;
  switch (TakeChoice(bytes, 4)) {
    case 0:
      AnswerRequest(Resealed(asked.solve, bytes), cities, oracle);
      break;
    case 1:
      AnswerRequest(Resealed(asked.improve, bytes), cities, oracle);
      break;
    case 2:
      DecodeReply(Resealed(asked.reply, bytes), asked.pointers);
      break;
    default:
      AnswerRequest(bytes, cities, oracle);
  }
}

}  // namespace dray::fuzz
