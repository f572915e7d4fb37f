#include "src/envs/cage2/scripted_policies.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <span>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/rng.h"
#include "src/config/user_path.h"
#include "src/envs/cage2/blue_actions.h"
#include "src/envs/cage2/blue_scripts.h"

namespace dray::cage2 {
namespace {

// Begun by a copy of a fresh one, as those of blue_scripts.h are.
struct ActionList {
  int Act(uint64_t /*observation*/, Rng& /*rng*/) {
    return next < actions.size() ? actions[next++] : kSleepAction;
  }

  std::vector<int> actions;
  size_t next = 0;
};

// Plays one blue per environment.
template <typename Blue>
class Scripted final : public Player {
 public:
  Scripted(Blue fresh, uint64_t seed, const Network& network)
      : fresh_(std::move(fresh)), seed_(seed), bits_(network.observation_bits()) {}

  void Begin(int first, int count) override {
    games_.clear();
    for (int i = 0; i < count; ++i) {
      games_.push_back({fresh_, Rng(seed_, RngPurpose::kAction, first + i)});
    }
  }

  void Act(const Observed& observed, const ActionSlots& actions) override {
    const size_t width = observed.observations.size() / games_.size();
    for (size_t i = 0; i < games_.size(); ++i) {
      const uint64_t bits = BitsOf(observed.observations.subspan(i * width, width), bits_);
      actions.indices[i] = games_[i].blue.Act(bits, games_[i].rng);
    }
  }

 private:
  struct Game {
    Blue blue;
    Rng rng;
  };

  const Blue fresh_;
  const uint64_t seed_;
  const size_t bits_;
  std::vector<Game> games_;
};

// Returns the word in a form that is safe to print.
std::string Quoted(std::string_view word) {
  constexpr size_t kMost = 20;
  const bool printable = std::ranges::all_of(
      word, [](char c) { return std::isprint(static_cast<unsigned char>(c)) != 0; });
  if (!printable) return "something unprintable";
  return word.size() > kMost ? Cat("'", word.substr(0, kMost), "...'") : Cat("'", word, "'");
}

int ParseAction(std::string_view word, const std::string& what, int line, int actions) {
  int action = -1;
  const char* end = word.data() + word.size();
  const auto [stopped, error] = std::from_chars(word.data(), end, action);
  if (error != std::errc() || stopped != end || action < 0 || action >= actions) {
    throw UsageError(what, ":", line, ": ", Quoted(word),
                     " is not an action; expected a number from 0 to ", actions - 1);
  }
  return action;
}

}  // namespace

std::vector<int> ParseActions(std::string_view text, const std::string& what,
                              const Network& network) {
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
    actions.push_back(ParseAction(text.substr(i, end - i), what, line, network.blue_actions()));
    i = end;
  }
  if (actions.empty()) throw UsageError(what, ": contains no actions");
  return actions;
}

std::unique_ptr<Player> MakeScriptedPolicy(const std::string& name, uint64_t seed,
                                           const Network& network) {
  constexpr std::string_view kFromFile = "actions:";
  const auto scripted = [&](auto blue) -> std::unique_ptr<Player> {
    return std::make_unique<Scripted<decltype(blue)>>(std::move(blue), seed, network);
  };
  if (name == "sleep") return scripted(Sleeper());
  if (name == "random") return scripted(Random{static_cast<uint32_t>(network.blue_actions())});
  if (name == "react_restore") return scripted(React(/*removes=*/false, network));
  if (name == "react_remove_restore") return scripted(React(/*removes=*/true, network));
  if (name.starts_with(kFromFile)) {
    const std::string path = UserPath(name.substr(kFromFile.size()));
    if (path.empty()) throw UsageError("actions: names no file; expected actions:FILE");
    return scripted(ActionList{ParseActions(ReadFile(path), path, network)});
  }
  throw UsageError("'", name, "' is not a scripted policy; expected sleep, random, react_restore, ",
                   "react_remove_restore or actions:FILE");
}

}  // namespace dray::cage2
