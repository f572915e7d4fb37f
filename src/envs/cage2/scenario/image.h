#pragma once

#include <cstdint>
#include <vector>

#include "src/envs/cage2/scenario/entry.h"

namespace dray::cage2 {

// A service that listens on a port.
struct Service {
  int port = 0;
  // Exploits, by bit, that attack this kind of service, and whether they fail nevertheless.
  uint8_t attacked_by = 0;
  bool withstands = false;
  bool privileged = false;  // runs as root or SYSTEM
};

// Image that a host is installed from: the parts of a CybORG image file that the rules use.
struct Image {
  bool windows = false;
  bool ssh_user = false;
  bool runs_server = false;  // has the service that red is after
  std::vector<Service> services;
};

// Name of the service that red is after.
inline constexpr char kServerService[] = "OTService";

// Reads an image. Throws an Error that names the key if the rules cannot express something.
Image ReadImage(const Entry& entry);

}  // namespace dray::cage2
