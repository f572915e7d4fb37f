#pragma once

#include <string>

namespace dray {

// A path as the user meant it: under `bazel run` a program starts in a folder of Bazel's, and
// BUILD_WORKING_DIRECTORY holds the one the user stands in. Empty stays empty.
std::string UserPath(const std::string& path);

// The file that --config NAME means: a path from where the user stands or from the workspace's
// root, or the bare name of a file in configs/, there or where Dray is installed. An Error that
// lists what there is when none exists.
std::string FindConfigFile(const std::string& name);

// The checkpoint of a policy that comes with Dray, by its name: configs/pretrained/NAME.ckpt. An
// Error that lists what there is, likewise.
std::string FindPretrained(const std::string& name);

// A file, by its path or by its bare name in a folder of the project: "cartpole" for
// configs/cartpole.yaml. Empty when there is none.
std::string FindFileOrBareName(const std::string& name, const std::string& folder);

}  // namespace dray
