#pragma once

#include <exception>
#include <optional>
#include <string>

namespace dray {

// Result of a start-up trial: a short measurement that decides what the config leaves open.
template <typename Measured>
struct Trial {
  std::optional<Measured> measured;
  std::string failure;  // one line; empty if the trial succeeded
};

// Runs a start-up trial. Returns failures instead of throwing, so that a trial never ends a run.
template <typename Body>
auto RunTrial(const Body& body) -> Trial<decltype(body())> {
  try {
    return {body(), ""};
  } catch (const std::exception& error) {
    const std::string what = error.what();
    return {std::nullopt, what.substr(0, what.find('\n'))};
  }
}

}  // namespace dray
