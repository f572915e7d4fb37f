#pragma once

#include <optional>
#include <span>
#include <string>

#include "src/search/order_effect.h"
#include "src/search/order_search.h"
#include "src/search/trial.h"

namespace dray {

// What a report is made of. The search was told all the trials.
struct SearchFindings {
  const OrderSearch& search;
  std::span<const FinishedTrial> trials;
  std::span<const std::string> names;      // of the items
  std::string title;                       // the task and the settings, in a line
  std::span<const double> truth = {};      // every order's true value, where it is known
  std::optional<OrderEffect> effect = {};  // once the search is at its end
};

// "user > enterprise > defender"
std::string OrderText(std::span<const int> order, std::span<const std::string> names);

// The same, of an order of the search.
std::string NameOf(const SearchFindings& findings, int order);

// "-61.2 ± 3.1 (95 % interval, 25 episodes), compliance 0.97"
std::string ResultText(const TrialResult& result);

// "Best: user > enterprise > defender: -61.2 ± 3.1 (95 % interval, 25 episodes), compliance 0.97",
// or that nothing was found, and why.
std::string BestLine(const SearchFindings& findings);

// "By the model: user > enterprise > defender: -62.0 ± 1.4 (standard deviation)": of the orders
// that count, the one with the highest posterior mean, in which similar orders have a part; empty
// when none counts. Under Mallows' kernel it is the better guess where returns are noisy.
std::string ModelLine(const SearchFindings& findings);

// For the terminal: the best orders, the trials at which the best changed, the best and the model.
std::string SearchText(const SearchFindings& findings);

// report.md: all of it.
std::string SearchMarkdown(const SearchFindings& findings);
// search.csv: a row for each trial.
std::string TrialsCsv(const SearchFindings& findings);
// orders.csv: a row for each order, trained or not, with what is believed of it.
std::string OrdersCsv(const SearchFindings& findings);

// Writes these files, search.json and the pictures into the folder.
void WriteSearchFiles(const SearchFindings& findings, const std::string& folder);

}  // namespace dray
