#pragma once

#include <functional>
#include <memory>
#include <string>

#include "src/cluster/cluster.h"

namespace dray {

// Services of the surrounding program that commands on a cluster need.
struct CommandHost {
  // Connects to a cluster.
  std::function<std::unique_ptr<Cluster>(const std::string& run_name)> open_cluster;
  // Makes the page of a run folder and returns its path; throws Error if it cannot. May be empty.
  std::function<std::string(const std::string& run_folder)> make_page;
};

// Makes the page of a finished run and prints where it is.
void ShowPage(const CommandHost& host, const std::string& run_folder);

}  // namespace dray
