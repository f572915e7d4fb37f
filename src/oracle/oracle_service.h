#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "src/env/service.h"
#include "src/oracle/batching.h"
#include "src/oracle/known_cities.h"
#include "src/oracle/oracle_entry.h"
#include "src/oracle/splitting.h"
#include "src/oracle/timed.h"

namespace dray {

// An oracle for environments in other processes; requests and answers are those of codec.h.
class OracleHost : public ServiceHost {
 public:
  OracleHost(const OracleConfig& config, int callers, std::shared_ptr<Oracle> oracle);

  std::string Answer(std::string_view request) override;
  ServiceWork work() const override;

 private:
  // Wrappers of the oracle, innermost first.
  std::shared_ptr<TimedOracle> timed_;
  std::shared_ptr<SplittingOracle> splitting_;
  BatchingOracle batching_;
  KnownCities cities_;
};

// Returns what a task whose environments ask an oracle offers as its service. `oracle` returns the
// oracle that these settings describe, `mutable_oracle` the oracle's own settings among them.
Service OracleService(TaskOracle (*oracle)(const EnvConfig& config),
                      OracleConfig* (*mutable_oracle)(EnvConfig* config));

}  // namespace dray
