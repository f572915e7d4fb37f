#include "src/cluster/roles/call_summaries.h"

#include <exception>
#include <utility>

#include "src/base/error.h"

namespace dray {

void CallSummaries::Make(int64_t call, const std::function<std::string()>& make) {
  try {
    Keep(call, {make(), ""});
  } catch (const std::exception& error) {
    Keep(call, {"", error.what()});
    throw;
  }
}

void CallSummaries::Keep(int64_t call, Outcome outcome) {
  {
    const std::lock_guard lock(mutex_);
    // Nobody asks for what is older than the newest call, even if it is made later.
    if (call < newest_) return;
    outcomes_.clear();
    outcomes_[call] = std::move(outcome);
    newest_ = call;
  }
  kept_.notify_all();
}

std::string CallSummaries::Take(int64_t call) {
  std::unique_lock lock(mutex_);
  kept_.wait(lock, [&] { return outcomes_.contains(call) || newest_ > call; });
  if (!outcomes_.contains(call)) throw Failure("call ", call, " never came");
  const auto kept = outcomes_.extract(call);
  if (!kept.mapped().error.empty()) throw Failure(kept.mapped().error);
  return std::move(kept.mapped().summary);
}

}  // namespace dray
