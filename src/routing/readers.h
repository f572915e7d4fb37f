#pragma once

#include <string>

#include "src/routing/problem.h"
#include "src/routing/read_options.h"

namespace dray {

// Reads a routing problem in one of these formats, detected by content: Solomon's text, VRPLIB, Li
// and Lim's pickups and deliveries, or Dray's CSV (csv_reader.h). All vehicles of the file are free
// and there are no others; a file without a fleet size gets one vehicle per customer. Place 0 is
// the depot, stops are in file order, and the triangle inequality is not enforced. Mistakes in the
// file are one-line Errors that name file, line and field.
Problem ReadProblem(const std::string& path, const ReadOptions& options = {});

// Parses a problem from text. `path` is used for messages, the problem's name and the file type.
Problem ParseProblem(const std::string& path, std::string text, const ReadOptions& options = {});

}  // namespace dray
