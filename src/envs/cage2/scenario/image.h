#pragma once

#include <cstdint>
#include <vector>

#include "src/envs/cage2/scenario/entry.h"

namespace dray::cage2 {

// Something that listens on a port.
struct Service {
  int port = 0;
  // The exploits, by bit, that attack what it is; whether they fail nonetheless.
  uint8_t attacked_by = 0;
  bool withstands = false;
  bool privileged = false;  // runs as root or SYSTEM
};

// What a host is installed from: an image file of CybORG's, as far as the rules go by it.
struct Image {
  bool windows = false;
  bool ssh_user = false;
  bool runs_server = false;  // has the service OTService, which red is after
  std::vector<Service> services;
};

// The name of the service that red is after.
inline constexpr char kServerService[] = "OTService";

// An Error that names the key for what the rules cannot express.
Image ReadImage(const Entry& entry);

}  // namespace dray::cage2
