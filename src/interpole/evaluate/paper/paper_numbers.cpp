#include "interpole/evaluate/paper/paper_numbers.hpp"

#include <array>

namespace interpole::evaluate {
namespace {

constexpr PaperFigure kNone{-1.0, 0.0};  // n/a in the paper

struct PrintedRow {
  int table;
  std::string_view algorithm;
  std::array<PaperFigure, 3> figures;  // in the order of the table's columns
};

constexpr std::array kPrinted = {
    // Table 2, ADNI: calibration (Brier), area under ROC, area under PR.
    PrintedRow{2, "R-BC", {{{0.18, 0.05}, {0.61, 0.05}, {0.81, 0.08}}}},
    PrintedRow{2, "PO-MB-IL", {{{0.19, 0.07}, {0.54, 0.07}, {0.79, 0.11}}}},
    PrintedRow{2, "PO-IRL", {{{0.23, 0.01}, {0.51, 0.07}, {0.78, 0.09}}}},
    PrintedRow{2, "Off. PO-IRL", {{{0.24, 0.01}, {0.54, 0.05}, {0.79, 0.09}}}},
    PrintedRow{2, "INTERPOLE", {{{0.17, 0.05}, {0.60, 0.04}, {0.81, 0.09}}}},
    // Table 3, DIAG: belief mismatch ×10³, policy mismatch ×10³, stopping-time error.
    PrintedRow{3, "R-BC", {{kNone, {6.7, 1.4}, {5.91, 1.29}}}},
    PrintedRow{3, "PO-MB-IL", {{{42.7, 34.0}, {47.9, 18.9}, {6.34, 1.48}}}},
    PrintedRow{3, "PO-IRL", {{{42.7, 34.0}, {62.1, 29.1}, {6.41, 1.80}}}},
    PrintedRow{3, "Off. PO-IRL", {{{26.1, 5.6}, {2.1, 0.2}, {5.42, 0.69}}}},
    PrintedRow{3, "INTERPOLE", {{{0.6, 0.1}, {0.8, 0.2}, {5.38, 1.14}}}},
    // Table 4, BIAS: the same.
    PrintedRow{4, "R-BC", {{kNone, {191.8, 78.8}, {2.22, 0.45}}}},
    PrintedRow{4, "PO-MB-IL", {{{83.2, 3.03}, {125.4, 18.4}, {3.80, 0.19}}}},
    PrintedRow{4, "PO-IRL", {{{83.2, 3.03}, {144.0, 29.4}, {3.46, 0.22}}}},
    PrintedRow{4, "Off. PO-IRL", {{{84.9, 8.28}, {62.8, 7.5}, {3.12, 0.41}}}},
    PrintedRow{4, "INTERPOLE", {{{3.8, 0.34}, {1.8, 0.6}, {2.14, 0.51}}}},
};

struct Column {
  std::string_view score;
  double unit;  // of the printed figures
};
constexpr std::array<Column, 3> kMatching = {{{"brier", 1.0}, {"auroc", 1.0}, {"auprc", 1.0}}};
constexpr std::array<Column, 3> kMismatch = {
    {{"belief_mismatch", 1e-3}, {"policy_mismatch", 1e-3}, {"stopping_time_error", 1.0}}};

}  // namespace

std::optional<PaperFigure> paper_figure(int table, std::string_view algorithm, std::string_view score) {
  const auto& columns = table == 2 ? kMatching : kMismatch;
  for (const PrintedRow& row : kPrinted) {
    if (row.table != table || row.algorithm != algorithm) continue;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].score != score || row.figures[i].mean < 0.0) continue;
      return PaperFigure{row.figures[i].mean * columns[i].unit, row.figures[i].deviation * columns[i].unit};
    }
  }
  return std::nullopt;
}

}  // namespace interpole::evaluate
