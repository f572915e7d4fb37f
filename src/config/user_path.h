#pragma once

#include <string>
#include <vector>

namespace dray {

// Resolves a path relative to the user's folder. Under `bazel run`, programs start in a folder of
// Bazel's; BUILD_WORKING_DIRECTORY holds the user's. An empty path stays empty.
std::string UserPath(const std::string& path);

// Finds the file meant by --config NAME: a path relative to the user's folder or the workspace
// root, or the bare name of a file in configs/, there or where Dray is installed. Throws an Error
// that lists the available files if none exists.
std::string FindConfigFile(const std::string& name);

// Returns the bare names of the presets in configs/, sorted.
std::vector<std::string> ConfigNames();

// Finds the checkpoint of a policy shipped with Dray: configs/pretrained/NAME.ckpt. Throws an Error
// that lists the available policies if it does not exist.
std::string FindPretrained(const std::string& name);

// Finds a file by its path or by its bare name in a folder of the project: "cartpole" means
// configs/cartpole.yaml. Returns an empty path if there is none.
std::string FindFileOrBareName(const std::string& name, const std::string& folder);

}  // namespace dray
