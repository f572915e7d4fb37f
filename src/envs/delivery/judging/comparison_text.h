#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/base/json.h"
#include "src/base/printed.h"
#include "src/envs/delivery/judging/comparison.h"
#include "src/output/text_table.h"

namespace dray::delivery {

// Returns a table with a row for each score: its policy, objective and difference to the reference,
// the cells that `cells` returns, and the difference to the learned policy if there is one. The
// header begins with four columns for the first of these and ends with the others.
template <typename Comparison, typename Cells>
std::vector<TextRow> ComparisonTable(const Comparison& comparison, TextRow header,
                                     const std::string& learned_column, const Cells& cells) {
  if (!comparison.learned_against.empty()) header.push_back(learned_column);
  std::vector<TextRow> rows = {std::move(header)};
  for (size_t i = 0; i < comparison.scores.size(); ++i) {
    const auto& score = comparison.scores[i];
    TextRow row = {score.policy, Printed("%.1f", score.objective.mean),
                   i == 0 ? "" : WithInterval(score.against_reference),
                   i == 0 ? "" : Printed("%+.2f", score.against_reference_pct)};
    for (std::string& cell : cells(score)) row.push_back(std::move(cell));
    if (!comparison.learned_against.empty()) {
      row.push_back(score.policy == "learned" ? "" : WithInterval(comparison.learned_against[i]));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// Returns the scores as JSON: the members that `members` returns, then the objective by day and the
// difference to the learned policy.
template <typename Comparison, typename Members>
Json ScoresJson(const Comparison& comparison, const Members& members) {
  Json scores = Json::array();
  for (size_t i = 0; i < comparison.scores.size(); ++i) {
    const auto& score = comparison.scores[i];
    Json policy = members(score);
    policy["objective_by_day"] = score.ByDay(&PlayedDay::objective);
    if (!comparison.learned_against.empty()) {
      policy["learned_less_this"] = JsonOf(comparison.learned_against[i]);
    }
    scores.push_back(std::move(policy));
  }
  return scores;
}

// Joins numbers with " / "; `decimals` is the number of digits after the point.
std::string Joined(std::span<const double> values, int decimals);

// Formats a comparison for a terminal: a title and a table.
std::string TitledText(const std::string& title, const std::vector<TextRow>& table);
// Formats a comparison as Markdown.
std::string TitledMarkdown(const std::string& title, const std::vector<TextRow>& table);

}  // namespace dray::delivery
