#pragma once

#include <string>

#include "src/routing/problem.h"
#include "src/routing/read_options.h"

namespace dray {

// A routing problem from a file: Solomon's text, VRPLIB, Li and Lim's pickups and deliveries, or
// our CSV (csv_reader.h), told apart by what is in it. The file's vehicles are free, and there are
// no others; a file that has no number of them gets one for each customer. Place 0 is the depot,
// stops are in the file's order, and nothing is done about the triangle inequality. Whatever is
// wrong with the file is an Error of one line that names file, line and field.
Problem ReadProblem(const std::string& path, const ReadOptions& options = {});

// As above, from text; `path` is for messages, for the problem's name and for the kind of file.
Problem ParseProblem(const std::string& path, std::string text, const ReadOptions& options = {});

}  // namespace dray
