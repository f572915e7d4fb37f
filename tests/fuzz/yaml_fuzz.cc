// A YAML file of settings, of all tasks.

#include <string>

#include "src/base/error.h"
#include "src/config/config.pb.h"
#include "src/config/dump.h"
#include "src/config/validate.h"
#include "src/config/yaml_loader.h"
#include "src/envs/cage2/cage2.pb.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "tests/fuzz/target.h"

namespace dray::fuzz {

// A node of the parser has some hundred bytes, and may be one of the text.
size_t MostMemory(size_t bytes) { return Times(2000, bytes) + (1 << 20); }

void Read(std::string_view bytes) {
  // Other files are not part of the input.
  if (bytes.find("include") != bytes.npos) return;
  Config config;
  LoadYamlText(std::string(bytes), "fuzz.yaml", &config);
  ValidateEach(config);  // what was read is in its range
  Config again;
  LoadYamlText(DumpYaml(config), "dump.yaml", &again);
  DRAY_CHECK(DumpYaml(again) == DumpYaml(config));
  Validate(config);
}

}  // namespace dray::fuzz
