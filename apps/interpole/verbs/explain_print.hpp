// A patient's explanation for a terminal.
#pragma once

#include <optional>
#include <string>

#include "interpole/service/explain/explain_task.hpp"

namespace interpole::cli {

void print_explanation(const service::ExplainOutcome& outcome);  // to stdout
// Every outcome that visit could have had.
void print_counterfactuals(const service::ExplainOutcome& outcome, const VisitExplanation& visit);

// ▁ to █; a blank for nothing.
std::string small_bar(double share);

}  // namespace interpole::cli
