#pragma once

#include <string>
#include <string_view>

#include "src/base/error.h"
#include "src/config/fields.h"

namespace dray::delivery {

// Sets num_customers to the number that a user's file has. Throws an Error if there are too few or
// too many; `who` is what the file's lines are, such as "riders".
template <typename Config>
void SetCustomers(int count, const std::string& file, std::string_view who, Config* config) {
  const Rule& rule = RuleOf(*FindField(*Config::descriptor(), "num_customers"));
  if (count < rule.min() || count > rule.max()) {
    throw UsageError(file, ": has ", count, " ", who, "; a day has from ", rule.min(), " to ",
                     rule.max(), ", so ", count < rule.min() ? "add some" : "split the file");
  }
  config->set_num_customers(count);
}

}  // namespace dray::delivery
