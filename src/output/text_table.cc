#include "src/output/text_table.h"

#include <algorithm>

#include "src/output/wrapped_line.h"

namespace dray {
namespace {

std::string CsvCell(const std::string& text) {
  if (text.find_first_of(",\"\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string AlignedTable(std::span<const TextRow> rows) {
  std::vector<size_t> widths(rows[0].size());
  for (const TextRow& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], DisplayWidth(row[i]));
  }
  std::string text;
  for (const TextRow& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string space(widths[i] - DisplayWidth(row[i]), ' ');
      text += i == 0 ? row[i] + space : "  " + space + row[i];
    }
    text += "\n";
  }
  return text;
}

std::string MarkdownTable(std::span<const TextRow> rows) {
  std::string text;
  for (size_t i = 0; i < rows.size(); ++i) {
    for (const std::string& cell : rows[i]) text += "| " + cell + " ";
    text += "|\n";
    if (i > 0) continue;
    text += "| --- ";
    for (size_t column = 1; column < rows[0].size(); ++column) text += "| ---: ";
    text += "|\n";
  }
  return text;
}

std::string CsvTable(std::span<const TextRow> rows) {
  std::string text;
  for (const TextRow& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += ',';
      text += CsvCell(row[i]);
    }
    text += "\n";
  }
  return text;
}

}  // namespace dray
