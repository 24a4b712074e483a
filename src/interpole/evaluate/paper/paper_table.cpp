#include "interpole/evaluate/paper/paper_table.hpp"

#include <fmt/format.h>

#include "interpole/error.hpp"

namespace interpole::evaluate {
namespace {

std::vector<TableScore> mismatch_scores() {
  return {{"belief_mismatch", "belief mismatch ×10³", 1e3, 2, 1},
          {"policy_mismatch", "policy mismatch ×10³", 1e3, 2, 1},
          {"stopping_time_error", "stopping-time error", 1.0, 2, 2},
          {"stopping_time_error_common", "the same, common draws", 1.0, 2, 2}};
}

std::vector<TableScore> matching_scores() {
  return {{"brier", "Brier score", 1.0, 3, 2, true, 0.0, 1.0},
          {"auroc", "area under ROC", 1.0, 3, 2, false, 0.0, 1.0},
          {"auprc", "area under PR", 1.0, 3, 2, false, 0.0, 1.0}};
}

}  // namespace

PaperTable paper_table_named(const std::string& name) {
  if (name == "diag") return {"diag", "DIAG", 3, 10, 100, true, mismatch_scores()};
  if (name == "bias") return {"bias", "BIAS", 4, 10, 1000, true, mismatch_scores()};
  // Of 1,737 patients the study keeps about 1,626, the paper's number.
  if (name == "adni") return {"adni", "ADNI", 2, 5, 1737, false, matching_scores()};
  throw usage_error(fmt::format(
      "the paper has no table \"{}\"; choose diag (Table 3), bias (Table 4) or adni (Table 2)", name));
}

}  // namespace interpole::evaluate
