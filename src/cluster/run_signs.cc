#include "src/cluster/run_signs.h"

#include <algorithm>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/output/format.h"

namespace dray {
namespace {

constexpr double kLookS = 0.1;
constexpr double kFileS = 10;
constexpr size_t kMostNamed = 3;

std::string Waiter(RunActors& actors, const ClusterActor& awaited) {
  if (&awaited == &actors.learner()) return "shards wait";
  if (&awaited == &actors.evaluator()) return "the learner and the shards wait";
  return "the learner waits";
}

std::string Described(const ClusterActor& actor) {
  return Cat(actor.name(), " (", actor.work(), ", ", FormatDuration(actor.still_for_s()),
             actor.greeted() ? Cat(", in phase '", actor.heartbeat().phase(), "', last heard of ",
                                   FormatDuration(actor.silent_for_s()), " ago")
                             : std::string(", its process has not answered yet"),
             ")");
}

}  // namespace

std::string WaitingText(RunActors& actors) {
  std::vector<const ClusterActor*> awaited;
  for (const ClusterActor* actor : actors.all()) {
    if (actor->working()) awaited.push_back(actor);
  }
  // While they start, all that have not answered are awaited.
  if (awaited.empty()) {
    for (const ClusterActor* actor : actors.all()) {
      if (!actor->greeted()) return Cat("the run waits for actor ", actor->name(), " to start");
    }
    return "the run waits for Ray: no actor is at work";
  }
  std::ranges::stable_sort(awaited, std::greater<>(), &ClusterActor::still_for_s);
  std::string text = Cat(Waiter(actors, *awaited.front()), " for ");
  for (size_t i = 0; i < std::min(awaited.size(), kMostNamed); ++i) {
    text += Cat(i == 0 ? "" : ", ", Described(*awaited[i]));
  }
  return awaited.size() > kMostNamed ? Cat(text, " and ", awaited.size() - kMostNamed, " more")
                                     : text;
}

std::string HeartbeatTable(const RunActors& actors) {
  std::string table = "actor · process · phase · at work on · not moved for · last heard of\n";
  for (const ClusterActor* actor : actors.all()) {
    table += Cat(actor->name(), " · ", actor->heartbeat().process(), " · ",
                 actor->heartbeat().phase(), " · ", actor->working() ? actor->work() : "nothing",
                 " · ", FormatDuration(actor->still_for_s()), " · ",
                 FormatDuration(actor->silent_for_s()), " ago\n");
  }
  return table;
}

void RunSigns::Look() {
  if (since_look_.seconds() < kLookS) return;
  since_look_.Restart();
  StallAlarm::Sign sign{answers_, WaitingText(actors_)};
  for (const ClusterActor* actor : actors_.all()) {
    sign.moves += actor->heartbeat().beats() + (actor->greeted() ? 1 : 0);
  }
  {
    const std::lock_guard lock(mutex_);
    sign_ = std::move(sign);
  }
  if (since_file_.seconds() < kFileS) return;
  since_file_.Restart();
  // For a person who looks: a file that cannot be written costs the run nothing.
  try {
    WriteFileAtomically(file_, HeartbeatTable(actors_));
  } catch (const Error&) {
  }
}

void RunSigns::OnAnswer(const ClusterActor& actor, bool heartbeat) {
  if (heartbeat) return;
  ++answers_;
  const std::lock_guard lock(mutex_);
  ++sign_.moves;
  sign_.waiting = Cat("the driver is at what ", actor.name(), " answered (", actor.work(), ")");
}

StallAlarm::Sign RunSigns::Latest() const {
  const std::lock_guard lock(mutex_);
  return sign_;
}

}  // namespace dray
