#include "src/routing/readers.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "src/base/error.h"
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

// Returns true if a first line names the columns of Dray's CSV or has values between separators.
bool LooksLikeCsv(std::string_view first) {
  return first.find_first_of(",;") != std::string_view::npos || SameWord(Words(first)[0], "id");
}

// Rejects options that apply only to CSV files.
void RefuseCsvOptions(const TextFile& file, const Instance& instance, const ReadOptions& options) {
  if (!options.travel.empty() && instance.names.travel != options.travel) {
    throw UsageError(options.travel, ": travel times need a CSV file, and ", file.path(),
                     " is not one; write it as VRPLIB's EXPLICIT matrix, or leave it out");
  }
  if (options.speed_kmh && (!instance.speed_kmh || instance.matrix)) {
    throw UsageError(file.path(), ": a speed of ", *options.speed_kmh,
                     " km/h has no effect: it is for CSV files with columns lat and lon and ",
                     "without travel times; leave it out");
  }
}

Instance Parse(const TextFile& file, const ReadOptions& options) {
  if (file.lines().empty()) {
    throw file.Wrong(1, "format", "the file is empty; use the complete file");
  }
  const std::string extension = std::filesystem::path(file.path()).extension().string();
  if (extension == ".csv" || extension == ".tsv") return ParseCsv(file, options);
  if (extension == ".vrp" || extension == ".vrptw") return ParseVrplib(file);
  if (HasLine(file, {"DIMENSION", "DEMAND_SECTION", "NODE_COORD_SECTION"})) {
    return ParseVrplib(file);
  }
  if (HasLine(file, {"VEHICLE", "CUSTOMER"})) return ParseSolomon(file);
  const TextLine& first = file.lines()[0];
  if (AllNumbers(first)) return ParseLiLim(file);
  if (LooksLikeCsv(first.text)) return ParseCsv(file, options);
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
  const Instance instance = Parse(file, options);
  RefuseCsvOptions(file, instance, options);
  return Assemble(file, instance, options);
}

}  // namespace dray
