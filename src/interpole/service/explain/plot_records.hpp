// Which records a figure shows: the patients asked for, or four found by rule.
#pragma once

#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/learn/posterior/posterior.hpp"
#include "interpole/report/figures/figure.hpp"
#include "interpole/service/explain/plot_task.hpp"
#include "interpole/study.hpp"

namespace interpole::service {

// In the order they were asked for. Throws an input error naming the closest id if one is not there.
std::vector<report::ShownRecord> named_records(const PlotRequest& request, const Study& study,
                                               const std::vector<PolicyCovariate>& covariates);

// The four of the paper's Figure 4 (explain/audit/archetypes.hpp), as far as the data have them; `sink` hears
// which are missing and why. `covariates`: what the policy follows, by which the tree keeps classes of
// records apart. Throws an input error if there are none.
std::vector<report::ShownRecord> archetype_records(const PlotRequest& request, const Study& study,
                                                   const Model& model, const HistoryTree& tree,
                                                   const std::vector<PolicyCovariate>& covariates,
                                                   const report::FigureDraws& draws, Sink& sink);

}  // namespace interpole::service
