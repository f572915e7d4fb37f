#pragma once

#include <functional>
#include <memory>
#include <string>

#include "src/cluster/cluster.h"
#include "src/config/config.pb.h"

namespace dray {

// Services of the surrounding program that commands on a cluster need.
struct CommandHost {
  // Connects to a cluster.
  std::function<std::unique_ptr<Cluster>(const std::string& run_name)> open_cluster;
  // Returns the reason to train on a cluster: how one is named, or where one runs on this machine.
  // Returns "" if there is neither. May be empty.
  std::function<std::string()> find_cluster;
  // Makes the page of a run folder and returns its path; throws Error if it cannot. May be empty.
  std::function<std::string(const std::string& run_folder)> make_page;
};

// Replaces the runner `auto`: ray if there is a cluster to join, else local. Returns a line that
// says why; "" if the config names the runner.
std::string ChooseRunner(const CommandHost& host, Config* config);

// Makes the page of a finished run and prints where it is.
void ShowPage(const CommandHost& host, const std::string& run_folder);

}  // namespace dray
