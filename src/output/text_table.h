#pragma once

#include <span>
#include <string>
#include <vector>

namespace dray {

// A row of a text table. The first row is the header; all rows have the same length.
using TextRow = std::vector<std::string>;

// Formats a table for a terminal: columns two spaces apart, the first left-aligned and the others
// right-aligned.
std::string AlignedTable(std::span<const TextRow> rows);
std::string MarkdownTable(std::span<const TextRow> rows);
std::string CsvTable(std::span<const TextRow> rows);

}  // namespace dray
