// Lines of requests that `serve` answers.

#include <sstream>
#include <string>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/envs/dvrptw/serving/desk.h"
#include "src/envs/dvrptw/serving/request_lines.h"
#include "src/nets/policy.h"
#include "tests/fuzz/target.h"

namespace dray::fuzz {
namespace {

Config Served() {
  Config config;
  config.mutable_env()->set_name("dvrptw");
  DvrptwConfig& task = *config.mutable_env()->MutableExtension(DvrptwConfig::dvrptw);
  task.set_num_customers(6);
  task.mutable_oracle()->set_rounds(2);
  config.mutable_network()->add_hidden(4);
  return config;
}

dvrptw::Desk MakeDesk() {
  const Config config = Served();
  const dvrptw::NegotiateEnv env(config.env().GetExtension(DvrptwConfig::dvrptw), {}, /*count=*/1);
  return dvrptw::Desk(config, Policy(env.spec(), config.network()).weights().ToBytes(), {});
}

}  // namespace

// Values of JSON, a plan for each answer, and the buffer of a line.
size_t MostMemory(size_t bytes) { return Times(400, bytes) + (4 << 20); }

void Read(std::string_view bytes) {
  static dvrptw::Desk desk = MakeDesk();
  desk.BeginDay();
  dvrptw::RequestLines lines(&desk);
  std::istringstream in{std::string(bytes)};
  std::ostringstream out;
  lines.AnswerAll(in, out);
  std::istringstream answers(out.str());
  for (std::string answer; std::getline(answers, answer);) {
    DRAY_CHECK(ParsedJson(answer).is_object());
  }
}

}  // namespace dray::fuzz
