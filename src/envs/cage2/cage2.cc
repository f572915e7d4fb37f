#include "src/envs/cage2/cage2.h"

#include <algorithm>
#include <utility>

#include "src/base/counts.h"
#include "src/base/error.h"
#include "src/envs/cage2/blue.h"
#include "src/envs/cage2/opponents.h"
#include "src/envs/cage2/scenario/scenario_files.h"
#include "src/envs/cage2/story.h"

namespace dray {
namespace {

using cage2::Compliance;

cage2::Rules RulesOf(const Cage2Config& config, const cage2::Network& network) {
  return {.network = &network,
          .release = config.release() == Cage2Config::LEADERBOARD ? cage2::Release::kLeaderboard
                                                                  : cage2::Release::kHead,
          .wrapper = config.wrapper() == Cage2Config::CARDIFF ? cage2::Wrapper::kCardiff
                                                              : cage2::Wrapper::kStock,
          .green = config.green() == Cage2Config::ON};
}

int ObservationSize(const Cage2Config& config, const cage2::Network& network) {
  int size = network.observation_bits();
  if (config.interface() == Cage2Config::REDUCED) size += cage2::ScanMemory::Values(network);
  if (config.observe_history()) size += cage2::Notes::Values(network);
  if (config.workflow().enabled()) {
    size += cage2::kOrderValues;
    if (config.workflow().observe_fixed()) size += cage2::kUnits;
  }
  return size;
}

std::vector<std::string> StatsOf(const Cage2Config& config) {
  std::vector<std::string> stats = {"env_return", "return_30", "return_50", "server_down_steps",
                                    "server_restored"};
  if (config.workflow().enabled()) {
    stats.insert(stats.end(), {"compliance", "fixes", "violations", "useless_fixes"});
  }
  return stats;
}

bool Rests(const Cage2Config& config) {
  return config.workflow().enabled() && config.workflow().rest_steps() > 0;
}

cage2::Definition DefinitionOf(const Cage2Config& config) {
  switch (config.workflow().definition()) {
    case Cage2WorkflowConfig::A:
      return cage2::Definition::kFixedBefore;
    case Cage2WorkflowConfig::B:
      return cage2::Definition::kFirstCompromised;
    case Cage2WorkflowConfig::C:
      return cage2::Definition::kFirstToMend;
  }
  CheckFailed(__FILE__, __LINE__, "a known definition", "");
}

EnvSpec MakeSpec(const Cage2Config& config, const cage2::Network& network,
                 const cage2::ReducedTable& table) {
  const bool reduced = config.interface() == Cage2Config::REDUCED;
  EnvSpec spec{.name = "cage2",
               .observation_size = ObservationSize(config, network),
               .actions = ActionSpace::Discrete(reduced ? table.outputs() : network.blue_actions()),
               .max_episode_steps = config.max_steps(),
               .fixed_length = true,
               .masked = reduced || config.mask_useless() || Rests(config),
               .episode_stats = StatsOf(config)};
  if (config.workflow().enabled()) spec.env_stats = {"compliance", "fixes", "violations"};
  spec.renders_last_step = true;
  return spec;
}

// Every order names every kind.
void CheckWorkflow(const Cage2Config& config, const cage2::Network& network) {
  uint32_t units = 0;
  for (int host = 0; host < network.hosts; ++host) {
    units |= 1u << cage2::Index(network.facts[host].unit);
  }
  for (int unit = 0; unit < cage2::kUnits; ++unit) {
    if ((units >> unit & 1) != 0) continue;
    throw UsageError("env.cage2.workflow.enabled: the scenario has no host of the kind ",
                     cage2::NameOf(cage2::Enumerator<cage2::Unit>(unit)),
                     ", which every order names");
  }
  if (config.interface() != Cage2Config::REDUCED) return;
  throw UsageError(
      "env.cage2.interface: reduced has no way to fix op_host machines, which every order names; "
      "use raw with a workflow");
}

}  // namespace

Cage2::Cage2(const Cage2Config& config, std::shared_ptr<cage2::RedPlayer> learned_red)
    : config_(config),
      network_(cage2::NetworkOf(config.scenario())),
      reduced_(network_),
      red_(config.red()),
      first_red_(config.first_red().empty() ? config.red() : config.first_red()),
      spec_(MakeSpec(config, network_, reduced_)),
      definition_(DefinitionOf(config)),
      game_(RulesOf(config, network_)),
      clock_(config.max_steps()),
      learned_red_(std::move(learned_red)) {
  if (!network_.no_bline.empty() &&
      (red_.Includes(cage2::RedAgent::kBline) || first_red_.Includes(cage2::RedAgent::kBline))) {
    throw UsageError("env.cage2.red: bline finds no way through this scenario: ",
                     network_.no_bline);
  }
  if (learned_red_ == nullptr && cage2::MeetsLearnedRed(config)) {
    learned_red_ = cage2::MakeTrainedRed(config);
  }
  const Cage2WorkflowConfig& workflow = config.workflow();
  if (workflow.order_size() > 0) {
    std::vector<cage2::Unit> units;
    for (const int unit : workflow.order()) units.push_back(cage2::Enumerator<cage2::Unit>(unit));
    fixed_order_ = cage2::OrderOf(units);
  }
  if (!workflow.enabled()) return;
  CheckWorkflow(config, network_);
  draws_order_ = workflow.order_size() == 0;
}

void Cage2::Reset(Rng& rng, std::span<float> observation) {
  clock_.Restart();
  account_ = {};
  account_.order = draws_order_ ? cage2::RandomOrder(rng) : fixed_order_;
  BeginRed((progress_ < config_.first_share() ? first_red_ : red_).Draw(rng), rng);
  Observe(0, observation);
}

// A learned red has its own random numbers, so that other episodes are not affected.
void Cage2::BeginRed(cage2::RedAgent red, Rng& rng) {
  game_.Reset(red);
  agent_ = red;
  knowledge_ = cage2::RedKnowledge::AtStart(network_);
  if (red != cage2::RedAgent::kLearned) return;
  red_rng_ = Rng(rng.Next64(), RngPurpose::kEpisode, 0);
  red_policy_ = learned_red_->DrawPolicy(red_rng_);
}

cage2::StepRecord Cage2::Play(int blue_action, Rng& rng) {
  cage2::RngChance chance(rng);
  if (agent_ != cage2::RedAgent::kLearned) return game_.Step(blue_action, chance);
  const cage2::RedMove move = learned_red_->Choose(red_policy_, knowledge_, time(), red_rng_);
  const cage2::StepRecord record = game_.Step(blue_action, chance, move);
  knowledge_.OnMove(move, record.red_success, game_.state(), network_);
  return record;
}

float Cage2::time() const {
  return static_cast<float>(clock_.steps()) / static_cast<float>(config_.max_steps());
}

Outcome Cage2::Step(const Action& action, Rng& rng, std::span<float> observation) {
  const bool reduced = config_.interface() == Cage2Config::REDUCED;
  const int blue_action = reduced ? account_.reduced.Take(action.index, reduced_) : action.index;
  const cage2::Intrusion intrusion =
      cage2::IsFix(blue_action, network_) ? IntrusionNow() : cage2::Intrusion{};
  last_.mends = cage2::Mends(blue_action, intrusion, network_);
  last_.verdict = Compliance::Verdict::kNotCounted;
  double reward = config_.workflow().enabled() ? Align(blue_action, intrusion) : 0;
  const cage2::StepRecord record = Play(blue_action, rng);
  const bool over = clock_.Tick();
  last_.step = clock_.steps();
  last_.action = blue_action;
  last_.record = record;
  if (over) Capture(last_);
  Tally(record);
  if (reduced) account_.scans.Look(record.observation, network_);
  if (config_.observe_history()) account_.notes.OnStep(record.observation, network_);
  reward += record.reward();
  if (over && config_.workflow().enabled() && account_.compliance.fixes() == 0) {
    reward -= config_.workflow().no_fix_penalty() * config_.workflow().alignment();
  }
  Observe(record.observation, observation);
  const bool cut = over && config_.truncate();
  return {.reward = static_cast<float>(reward), .terminated = over && !cut, .truncated = cut};
}

cage2::Intrusion Cage2::IntrusionNow() const {
  return {.sessions = game_.compromised_hosts(), .removable = game_.removable_hosts()};
}

double Cage2::Align(int blue_action, const cage2::Intrusion& intrusion) {
  account_.rest = std::max(0, account_.rest - 1);
  if (!cage2::IsFix(blue_action, network_)) return 0;
  const Cage2WorkflowConfig& workflow = config_.workflow();
  Compliance& compliance = account_.compliance;
  const double before = compliance.rate();
  last_.verdict = compliance.OnFix(blue_action, intrusion, account_.order, definition_, network_);
  double aligned = 0;
  if (last_.verdict == Compliance::Verdict::kCompliant) aligned = workflow.compliant_bonus();
  if (last_.verdict == Compliance::Verdict::kViolation) aligned = -workflow.violation_penalty();
  account_.rest = workflow.rest_steps();
  return workflow.alignment() * (aligned + compliance.rate() - before) -
         (last_.mends ? 0 : workflow.useless_price());
}

void Cage2::Capture(cage2::Frame& frame) const {
  frame.sessions = game_.compromised_hosts();
  frame.privileged = game_.privileged_hosts();
  frame.server_up = game_.state().server_up != 0;
  frame.red = agent_;
  frame.has_workflow = config_.workflow().enabled();
  frame.order = account_.order;
}

void Cage2::Tally(const cage2::StepRecord& record) {
  account_.return_tenths += record.reward_tenths;
  if (clock_.steps() <= 30) account_.return_30_tenths = account_.return_tenths;
  if (clock_.steps() <= 50) account_.return_50_tenths = account_.return_tenths;
  account_.steps_server_down += game_.state().server_up ? 0 : 1;
}

void Cage2::Observe(uint64_t bits, std::span<float> observation) const {
  const int count = network_.observation_bits();
  for (int i = 0; i < count; ++i) {
    observation[i] = (bits >> (count - 1 - i)) & 1;
  }
  observation = observation.subspan(count);
  if (config_.interface() == Cage2Config::REDUCED) {
    const auto values = std::span(account_.scans.values).first(cage2::ScanMemory::Values(network_));
    std::ranges::copy(values, observation.begin());
    observation = observation.subspan(values.size());
  }
  if (config_.observe_history()) {
    account_.notes.Write(game_.state(), time(), network_, observation);
    observation = observation.subspan(cage2::Notes::Values(network_));
  }
  if (!config_.workflow().enabled()) return;
  cage2::WriteOrder(account_.order, observation);
  if (!config_.workflow().observe_fixed()) return;
  observation = observation.subspan(cage2::kOrderValues);
  for (int unit = 0; unit < cage2::kUnits; ++unit) {
    observation[unit] = (account_.compliance.fixed_units() >> unit) & 1;
  }
}

void Cage2::WriteMask(std::span<uint8_t> mask) const {
  std::ranges::fill(mask, uint8_t{1});
  if (config_.interface() == Cage2Config::REDUCED) {
    const uint16_t exhausted = account_.reduced.exhausted(reduced_);
    for (size_t i = 0; i < reduced_.lists.size(); ++i) {
      if ((exhausted & (1u << i)) != 0) mask[reduced_.plain.size() + i] = 0;
    }
    return;
  }
  for (int action = 0; action < network_.blue_actions(); ++action) {
    mask[action] = Allowed(action) ? 1 : 0;
  }
}

bool Cage2::Allowed(int blue_action) const {
  if (account_.rest > 0 && cage2::IsFix(blue_action, network_)) return false;
  if (!config_.mask_useless()) return true;
  const cage2::BlueAction blue = cage2::BlueActionOf(blue_action, network_);
  return blue_action != cage2::kMonitorAction &&
         (!cage2::IsDecoy(blue.kind) || cage2::OpensPort(game_.state(), blue, network_));
}

void Cage2::WriteEpisodeStats(std::span<double> stats) const {
  stats[0] = account_.return_tenths / 10.0;
  stats[1] = account_.return_30_tenths / 10.0;
  stats[2] = account_.return_50_tenths / 10.0;
  stats[3] = account_.steps_server_down;
  stats[4] = game_.state().server_vulnerable ? 0 : 1;
  if (!config_.workflow().enabled()) return;
  stats[5] = account_.compliance.rate();
  stats[6] = account_.compliance.fixes();
  stats[7] = account_.compliance.violations();
  stats[8] = account_.compliance.useless();
}

std::string Cage2::Render() const {
  if (last_.step > 0) return cage2::StoryOf(last_.step, last_.action, last_.record, network_);
  std::string text = Cat("Red is ", cage2::NameOf(agent_));
  if (config_.workflow().enabled()) text += Cat("; the order is ", cage2::TextOf(account_.order));
  return text;
}

std::string Cage2::Frame() const {
  cage2::Frame frame = last_;
  if (clock_.steps() > 0) Capture(frame);  // else the next episode has begun
  return frame.ToBytes();
}

void Cage2::Save(ByteWriter& out) const {
  clock_.Save(out);
  game_.Save(out);
  out.Put(account_.reduced);
  out.Put(account_.scans);
  out.Put(account_.notes);
  out.Put(account_.order);
  out.Put(account_.compliance);
  out.Put(account_.rest);
  out.Put(account_.return_tenths);
  out.Put(account_.return_30_tenths);
  out.Put(account_.return_50_tenths);
  out.Put(account_.steps_server_down);
  if (learned_red_ == nullptr) return;
  out.Put(agent_);
  out.Put(knowledge_);
  red_rng_.Save(out);
  if (learned_red_->policies() > 1) out.Put<uint32_t>(red_policy_);
}

void Cage2::LoadRed(ByteReader& in) {
  agent_ = game_.state().red;
  if (learned_red_ == nullptr) return;
  const auto agent = in.Get<cage2::RedAgent>();
  knowledge_ = in.Get<cage2::RedKnowledge>();
  const bool learned = agent == cage2::RedAgent::kLearned && agent_ == cage2::RedAgent::kSleep;
  if ((!learned && agent != agent_) || !knowledge_.Plausible(network_)) {
    throw Failure("a saved state of cage2's red is damaged");
  }
  agent_ = agent;
  red_rng_.Load(in);
  red_policy_ = learned_red_->policies() > 1 ? in.Get<uint32_t>() : 0;
  if (red_policy_ >= learned_red_->policies()) {
    throw Failure("a saved state of cage2's red names policy ", red_policy_, " of ",
                  learned_red_->policies());
  }
}

void Cage2::Load(ByteReader& in) {
  clock_.Load(in);
  game_.Load(in);
  Account account;
  account.reduced = in.Get<cage2::ReducedActions>();
  account.scans = in.Get<cage2::ScanMemory>();
  account.notes = in.Get<cage2::Notes>();
  account.order = in.Get<cage2::Order>();
  account.compliance = in.Get<Compliance>();
  account.rest = in.Get<int32_t>();
  account.return_tenths = in.Get<int32_t>();
  account.return_30_tenths = in.Get<int32_t>();
  account.return_50_tenths = in.Get<int32_t>();
  account.steps_server_down = in.Get<int32_t>();
  // Far below the range where adding a step could overflow.
  const auto is_return = [](int32_t tenths) { return IsCount(tenths < 0 ? ~tenths : tenths); };
  const bool counts = IsCount(account.rest) && IsCount(account.steps_server_down) &&
                      is_return(account.return_tenths) && is_return(account.return_30_tenths) &&
                      is_return(account.return_50_tenths);
  const bool units = std::ranges::all_of(
      account.order, [](cage2::Unit unit) { return cage2::Index(unit) < cage2::kUnits; });
  if (!account.reduced.Plausible(reduced_) || !account.scans.Plausible() ||
      !account.notes.plausible() || !account.compliance.plausible() || !counts || !units) {
    throw Failure("a saved state of cage2 is damaged");
  }
  LoadRed(in);
  account_ = account;
  last_ = {};
}

}  // namespace dray
