#include "src/routing/readers.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "src/base/file.h"
#include "src/routing/csv_reader.h"
#include "src/routing/instance.h"
#include "src/routing/li_lim_reader.h"
#include "src/routing/solomon_reader.h"
#include "src/routing/text_file.h"
#include "src/routing/vrplib_reader.h"

namespace dray {
namespace {

bool HasLine(const TextFile& file, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(file.lines().begin(), file.lines().end(), [&](const TextLine& line) {
    const std::string_view word = line.text.substr(0, line.text.find_first_of(": \t"));
    return std::find(beginnings.begin(), beginnings.end(), word) != beginnings.end();
  });
}

bool AllNumbers(const TextLine& line) {
  const std::vector<std::string_view> words = Words(line.text);
  return std::all_of(words.begin(), words.end(), IsNumber);
}

Instance Parse(const TextFile& file) {
  if (file.lines().empty()) {
    throw file.Wrong(1, "format", "the file is empty; take the whole file");
  }
  const std::string extension = std::filesystem::path(file.path()).extension().string();
  if (extension == ".csv") return ParseCsv(file);
  if (extension == ".vrp" || extension == ".vrptw") return ParseVrplib(file);
  if (HasLine(file, {"DIMENSION", "DEMAND_SECTION", "NODE_COORD_SECTION"})) {
    return ParseVrplib(file);
  }
  if (HasLine(file, {"VEHICLE", "CUSTOMER"})) return ParseSolomon(file);
  const TextLine& first = file.lines()[0];
  if (AllNumbers(first)) return ParseLiLim(file);
  if (first.text.find(',') != std::string_view::npos) return ParseCsv(file);
  throw file.Wrong(first.number, "format",
                   "neither Solomon's text (VEHICLE and CUSTOMER sections) nor VRPLIB (DIMENSION, "
                   "...) nor Li and Lim's (a first line of numbers) nor CSV (id,x,y,...), found ",
                   Quoted(first.text), "; give a file in one of these");
}

}  // namespace

Problem ReadProblem(const std::string& path, const ReadOptions& options) {
  return ParseProblem(path, ReadFile(path), options);
}

Problem ParseProblem(const std::string& path, std::string text, const ReadOptions& options) {
  const TextFile file(path, std::move(text));
  return Assemble(file, Parse(file), options);
}

}  // namespace dray
