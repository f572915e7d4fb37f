#pragma once

#include <span>
#include <string>
#include <vector>

namespace dray {

// Tables of text, the first row their header. All rows are as long as it.
using TextRow = std::vector<std::string>;

// For a terminal: columns two spaces apart, the first to the left and all others to the right.
std::string AlignedTable(std::span<const TextRow> rows);
std::string MarkdownTable(std::span<const TextRow> rows);
std::string CsvTable(std::span<const TextRow> rows);

}  // namespace dray
