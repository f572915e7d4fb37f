#include "src/envs/cage2/scripted_policies.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/config/user_path.h"
#include "src/envs/cage2/blue_actions.h"
#include "src/envs/cage2/monitor.h"

namespace dray::cage2 {
namespace {

class Sleeper final : public ScriptedPolicy {
 public:
  int Act(uint64_t /*observation*/, Rng& /*rng*/) override { return kSleepAction; }
};

class Random final : public ScriptedPolicy {
 public:
  int Act(uint64_t /*observation*/, Rng& rng) override {
    return static_cast<int>(rng.Below(kBlueActions));
  }
};

class ReactRemoveRestore final : public ScriptedPolicy {
 public:
  void Reset() override {
    step_ = 0;
    exploited_at_ = {};
  }

  int Act(uint64_t observation, Rng& /*rng*/) override {
    ++step_;
    int chosen = kNoHost;
    for (int host = 0; host < kHosts; ++host) {
      int64_t& exploited_at = exploited_at_[static_cast<size_t>(host)];
      if (ActivityIn(observation, host) == Activity::kExploit) exploited_at = step_;
      if (host == kUser0 || CompromisedIn(observation, host) == Compromised::kNo) continue;
      if (chosen == kNoHost || exploited_at > exploited_at_[static_cast<size_t>(chosen)])
        chosen = host;
    }
    if (chosen == kNoHost) return kSleepAction;
    const bool user = CompromisedIn(observation, chosen) == Compromised::kUser;
    return ActionId(user ? BlueKind::kRemove : BlueKind::kRestore, chosen);
  }

 private:
  int64_t step_ = 0;
  std::array<int64_t, kHosts> exploited_at_{};  // 0: never
};

class ActionList final : public ScriptedPolicy {
 public:
  explicit ActionList(std::vector<int> actions) : actions_(std::move(actions)) {}

  void Reset() override { next_ = 0; }

  int Act(uint64_t /*observation*/, Rng& /*rng*/) override {
    return next_ < actions_.size() ? actions_[next_++] : kSleepAction;
  }

 private:
  const std::vector<int> actions_;
  size_t next_ = 0;
};

// As it can be shown on a terminal, whatever file it comes from.
std::string Quoted(std::string_view word) {
  constexpr size_t kMost = 20;
  const bool printable = std::ranges::all_of(
      word, [](char c) { return std::isprint(static_cast<unsigned char>(c)) != 0; });
  if (!printable) return "something unprintable";
  return word.size() > kMost ? Cat("'", word.substr(0, kMost), "...'") : Cat("'", word, "'");
}

int ParseAction(std::string_view word, const std::string& what, int line) {
  int action = -1;
  const char* end = word.data() + word.size();
  const auto [stopped, error] = std::from_chars(word.data(), end, action);
  if (error != std::errc() || stopped != end || action < 0 || action >= kBlueActions) {
    throw UsageError(what, ":", line, ": ", Quoted(word),
                     " is no action; expected a number from 0 to ", kBlueActions - 1);
  }
  return action;
}

}  // namespace

std::vector<int> ParseActions(std::string_view text, const std::string& what) {
  std::vector<int> actions;
  int line = 1;
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  for (size_t i = 0; i < text.size();) {
    if (is_space(text[i])) {
      if (text[i] == '\n') ++line;
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && !is_space(text[end])) ++end;
    actions.push_back(ParseAction(text.substr(i, end - i), what, line));
    i = end;
  }
  if (actions.empty()) throw UsageError(what, ": holds no action");
  return actions;
}

std::unique_ptr<ScriptedPolicy> MakeScriptedPolicy(const std::string& name) {
  constexpr std::string_view kFromFile = "actions:";
  if (name == "sleep") return std::make_unique<Sleeper>();
  if (name == "random") return std::make_unique<Random>();
  if (name == "react_remove_restore") return std::make_unique<ReactRemoveRestore>();
  if (name.starts_with(kFromFile)) {
    const std::string path = UserPath(name.substr(kFromFile.size()));
    if (path.empty()) throw UsageError("actions: names no file; expected actions:FILE");
    return std::make_unique<ActionList>(ParseActions(ReadFile(path), path));
  }
  throw UsageError("'", name, "' is no scripted policy; expected sleep, random, ",
                   "react_remove_restore or actions:FILE");
}

}  // namespace dray::cage2
