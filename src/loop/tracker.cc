#include "src/loop/tracker.h"

#include <filesystem>
#include <fstream>
#include <utility>

#include "src/base/error.h"
#include "src/base/installation.h"

namespace dray {
namespace {

std::string LastLine(const std::string& file) {
  std::ifstream text(file);
  std::string last;
  for (std::string line; std::getline(text, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

}  // namespace

Tracker::Tracker(const std::vector<std::string>& command, const std::string& log, Say say,
                 double retry_s)
    : command_(command), log_(log), say_(std::move(say)), retry_s_(retry_s) {
  Start();
}

void Tracker::Start() {
  try {
    process_.emplace(command_, log_);
  } catch (const Error& error) {
    Fail(error.what());
  }
}

Tracker::~Tracker() {
  if (!process_) return;
  process_->EndInput();
  constexpr double kUnnoticed_s = 1;
  if (!process_->Wait(kUnnoticed_s)) {
    say_(Cat("W&B: sending the last numbers (at most ", kPatience_s, " s)"));
    if (!process_->Wait(kPatience_s)) {
      say_(Cat("W&B: still sending, in the background: ", log_, " tells how it goes"));
    }
  }
  Look();
}

void Tracker::Look() {
  if (!process_) {
    if (since_failure_.seconds() >= retry_s_) {
      retry_s_ *= 2;
      Start();
    }
    return;
  }
  if (!process_->Ended() || *process_->Ended() == 0) return;
  const std::string said = LastLine(log_);
  Fail(said.empty() ? Cat("its process ended with status ", *process_->Ended()) : said);
}

void Tracker::Fail(const std::string& why) {
  if (failures_++ == 0) {
    say_(Cat("Warning: nothing goes to W&B for now: ", why,
             "; the training continues and will try again (details in ", log_, ")"));
  }
  since_failure_.Restart();
  process_.reset();
}

std::vector<std::string> WandbCommand(const std::string& run_dir, const std::string& project) {
  std::vector<std::string> words = PythonCommand("wandb");
  const std::string folder = std::filesystem::absolute(run_dir).string();
  for (const std::string& word : {std::string("--run-dir"), folder, std::string("--project"),
                                  project, std::string("--follow")}) {
    words.push_back(word);
  }
  return words;
}

}  // namespace dray
