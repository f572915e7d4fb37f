#include "ray_actors/oracle_client.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "ray_actors/remote.h"

namespace dray_ray {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kAnswerTimeout_s = 30;
constexpr std::chrono::seconds kPatience(60);
constexpr std::chrono::milliseconds kFirstPause(50);
constexpr std::chrono::milliseconds kLongestPause(2000);

int SolveThroughPort(void* self, dray_bytes problems, dray_sink answers) {
  std::string message;
  try {
    static_cast<OracleClient*>(self)->Solve(problems, answers);
    return 0;
  } catch (const std::exception& error) {
    message = error.what();
  } catch (...) {
    message = "the oracle failed";
  }
  void* to = answers.resize(answers.self, message.size());
  if (to != nullptr) std::memcpy(to, message.data(), message.size());
  return 1;
}

}  // namespace

OracleClient::OracleClient(std::vector<std::string> names) : port_{this, SolveThroughPort} {
  for (std::string& name : names) oracles_.push_back({std::move(name), ""});
}

std::string OracleClient::Actor(size_t turn) {
  std::string name;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!oracles_[turn].actor.empty()) return oracles_[turn].actor;
    name = oracles_[turn].name;
  }
  const std::string actor = ray::internal::GetRayRuntime()->GetActorId(name, "");
  if (actor.empty()) throw Lost("there is no oracle " + name);
  const std::lock_guard<std::mutex> lock(mutex_);
  return oracles_[turn].actor = actor;
}

void OracleClient::Forget(size_t turn) {
  const std::lock_guard<std::mutex> lock(mutex_);
  oracles_[turn].actor.clear();
}

void OracleClient::Solve(dray_bytes problems, dray_sink answers) {
  const Clock::time_point deadline = Clock::now() + kPatience;
  auto pause = kFirstPause;
  for (;;) {
    const size_t turn = turn_++ % oracles_.size();
    std::string trouble;
    try {
      const HeldObject reply = CallActor(Actor(turn), "solve", {{"", problems}});
      CopyPayload(*FetchMessage(reply.id(), kAnswerTimeout_s), answers);
      return;
    } catch (const Lost& lost) {
      trouble = lost.what();
    } catch (const TimedOut& late) {
      trouble = late.what();
    }
    Forget(turn);
    if (Clock::now() + pause > deadline) {
      throw std::runtime_error("no oracle answered within " + std::to_string(kPatience.count()) +
                               " s; last error: " + trouble);
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, kLongestPause);
  }
}

}  // namespace dray_ray
