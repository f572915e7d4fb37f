#pragma once

#include <optional>
#include <span>
#include <string>

#include "src/search/order_effect.h"
#include "src/search/order_search.h"
#include "src/search/trial.h"

namespace dray {

// Contents of a report. The search must know all the trials.
struct SearchFindings {
  const OrderSearch& search;
  std::span<const FinishedTrial> trials;
  std::span<const std::string> names;      // names of the items
  std::string title;                       // one line with the task and the settings
  std::span<const double> truth = {};      // every order's true value, if known
  std::optional<OrderEffect> effect = {};  // set once the search is complete
};

// Formats an order: "user > enterprise > defender".
std::string OrderText(std::span<const int> order, std::span<const std::string> names);

// Formats an order of the search by its index.
std::string NameOf(const SearchFindings& findings, int order);

// Formats a result: "-61.2 ± 3.1 (95 % interval, 25 episodes), compliance 0.97".
std::string ResultText(const TrialResult& result);

// Returns "Best: user > enterprise > defender: -61.2 ± 3.1 (95 % interval, 25 episodes), compliance
// 0.97", or says that nothing was found, and why.
std::string BestLine(const SearchFindings& findings);

// Returns "By the model: user > enterprise > defender: -62.0 ± 1.4 (standard deviation)": the order
// that counts with the highest posterior mean, to which similar orders contribute; empty if none
// counts. Under Mallows' kernel it is the better guess if returns are noisy.
std::string ModelLine(const SearchFindings& findings);

// Formats the report for the terminal: the best orders, the trials at which the best changed, the
// best order and the model.
std::string SearchText(const SearchFindings& findings);

// Formats the full report.md.
std::string SearchMarkdown(const SearchFindings& findings);
// Formats search.csv, a row for each trial.
std::string TrialsCsv(const SearchFindings& findings);
// Formats orders.csv, a row for each order, trained or not, with its posterior.
std::string OrdersCsv(const SearchFindings& findings);

// Writes these files, search.json and the pictures to the folder.
void WriteSearchFiles(const SearchFindings& findings, const std::string& folder);

}  // namespace dray
