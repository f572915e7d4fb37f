#include "src/search/trial_log.h"

#include <filesystem>
#include <limits>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/json.h"

namespace dray {
namespace {

namespace fs = std::filesystem;

std::string LineOf(const FinishedTrial& finished, const std::string& workflow) {
  const auto& [trial, result] = finished;
  const Json line = {{"trial", trial.number},
                     {"order", trial.order},
                     {"workflow", workflow},
                     {"seed", trial.seed},
                     {"init_from", trial.init_from},
                     {"return_mean", result.mean_return},
                     {"return_variance", result.return_variance},
                     {"episodes", result.episodes},
                     {"compliance", result.compliance},
                     {"updates", result.updates},
                     {"stopped_early", result.stopped_early},
                     {"seconds", result.seconds},
                     {"checkpoint", result.checkpoint}};
  return JsonText(line) + "\n";
}

// Far above any return, yet small enough to be squared.
constexpr double kMostReturn = 1e15;

// Thrown for a line that is JSON but not a trial.
struct NoTrial {};

// Throws NoTrial, or Json::exception.
FinishedTrial Parse(const std::string& line) {
  const Json json = ParsedJson(line);
  // Returns NaN if the line has null, else a value within the bounds.
  const auto number = [&](const char* key, double least, double most) {
    const Json& value = json.at(key);
    if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!value.is_number()) throw NoTrial();
    const auto found = value.get<double>();
    if (!(found >= least && found <= most)) throw NoTrial();
    return found;
  };
  const auto count = [&](const char* key, auto most) {
    const Json& value = json.at(key);
    if (!value.is_number_unsigned() || value.get<uint64_t>() > static_cast<uint64_t>(most)) {
      throw NoTrial();
    }
    return value.get<decltype(most)>();
  };
  FinishedTrial finished;
  Trial& trial = finished.trial;
  trial.number = count("trial", std::numeric_limits<int>::max());
  trial.order = count("order", std::numeric_limits<int>::max());
  trial.seed = count("seed", std::numeric_limits<uint64_t>::max());
  json.at("init_from").get_to(trial.init_from);
  TrialResult& result = finished.result;
  result.mean_return = number("return_mean", -kMostReturn, kMostReturn);
  result.return_variance = number("return_variance", 0, kMostReturn * kMostReturn);
  result.episodes = count("episodes", std::numeric_limits<int64_t>::max());
  result.compliance = number("compliance", 0, 1);
  result.updates = count("updates", std::numeric_limits<int64_t>::max());
  json.at("stopped_early").get_to(result.stopped_early);
  result.seconds = number("seconds", 0, kMostReturn);
  json.at("checkpoint").get_to(result.checkpoint);
  return finished;
}

std::string Below(const std::string& folder, const std::string& path) {
  return path.empty() ? path : fs::path(path).lexically_relative(folder).string();
}

std::string Within(const std::string& folder, const std::string& path) {
  return path.empty() ? path : Cat(folder, "/", path);
}

}  // namespace

TrialLog::TrialLog(const std::string& folder) : folder_(folder) {
  const std::string path = folder + kTrialLogFile;
  const std::string text = fs::exists(path) ? ReadFile(path) : "";
  size_t begin = 0;
  for (int line = 1;; ++line) {
    const size_t end = text.find('\n', begin);
    if (end == text.npos) break;  // the rest, if any, is torn
    const auto no_trial = [&] {
      return Failure(path, ":", line, ": not a valid trial; remove the line to repeat the trial");
    };
    try {
      FinishedTrial one = Parse(text.substr(begin, end - begin));
      one.trial.init_from = Within(folder, one.trial.init_from);
      one.result.checkpoint = Within(folder, one.result.checkpoint);
      trials_[one.trial.number] = one;
    } catch (const Json::exception&) {
      throw no_trial();
    } catch (const NoTrial&) {
      throw no_trial();
    }
    begin = end + 1;
  }
  if (begin < text.size()) WriteFileAtomically(path, std::string_view(text).substr(0, begin));
  file_.emplace(path);
}

void TrialLog::Append(const FinishedTrial& finished, const std::string& workflow) {
  FinishedTrial relative = finished;
  relative.trial.init_from = Below(folder_, finished.trial.init_from);
  relative.result.checkpoint = Below(folder_, finished.result.checkpoint);
  trials_[finished.trial.number] = finished;
  file_->Append(LineOf(relative, workflow));
}

}  // namespace dray
