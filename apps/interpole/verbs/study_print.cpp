#include "verbs/study_print.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "streams.hpp"
#include "table.hpp"

namespace interpole::cli {
namespace {

std::string count_and_share(std::int64_t count, std::int64_t total) {
  return fmt::format(
      "{:>9}  {:>5.1f}%", count,
      100.0 * static_cast<double>(count) / static_cast<double>(std::max<std::int64_t>(1, total)));
}

void print_columns(const std::string& heading, const Rows& rows) {
  std::size_t width = 0;
  for (const auto& [name, value] : rows) width = std::max(width, width_of(name));
  show("\n{}\n", heading);
  for (const auto& [name, value] : rows) {
    show("  {}{}  {}\n", name, std::string(width - width_of(name), ' '), value);
  }
}

void print_attrition(const data::Attrition& attrition) {
  const auto figures = [](std::int64_t rows, std::int64_t patients) {
    return fmt::format("{:>9}  {:>9}", rows, patients);
  };
  Rows rows = {{"", "     rows   patients"}, {"in", figures(attrition.rows_in, attrition.patients_in)}};
  for (const auto& stage : attrition.dropped)
    rows.push_back({"− " + stage.reason, figures(stage.rows, stage.patients)});
  rows.push_back({"kept", figures(attrition.rows_kept, attrition.patients_kept)});
  if (attrition.rows_too_soon > 0) {
    rows.push_back({"  of these too soon", figures(attrition.rows_too_soon, attrition.patients_too_soon)});
  }
  print_columns("What was kept", rows);
}

std::string shown_bins(const data::FactorReport& report) {
  if (report.bins.cuts.empty()) return "";
  std::string text = fmt::format("; cut at {:.6g}", fmt::join(report.bins.cuts, ", "));
  if (report.bins.mean)
    text += fmt::format(" (mean {:.6g}, SD {:.6g})", *report.bins.mean, *report.bins.spread);
  return text;
}

void print_factor(const Factor& factor, const data::FactorReport& report) {
  std::int64_t total = report.missing;
  for (const std::int64_t visits : report.levels) total += visits;
  Rows rows;
  for (std::size_t i = 0; i < factor.levels.size(); ++i) {
    rows.push_back({factor.levels[i], count_and_share(report.levels[i], total)});
  }
  rows.push_back({"(no value)", count_and_share(report.missing, total)});
  print_columns(fmt::format("{} (column {}{})", factor.name, factor.column, shown_bins(report)), rows);
}

void print_outcomes(const Structure& structure, const data::DataSummary& summary) {
  Rows rows;
  for (std::size_t z = 0; z < structure.observations.size(); ++z) {
    rows.push_back({structure.observations[z], count_and_share(summary.observations[z], summary.decisions)});
  }
  for (std::size_t f = 0; f < structure.factors.size(); ++f) {
    rows.push_back({structure.factors[f].name, count_and_share(summary.values[f], summary.decisions)});
  }
  rows.push_back({"(no outcome)", count_and_share(summary.without_outcome, summary.decisions)});
  print_columns(structure.measured() ? "Factors with a value" : "Outcomes", rows);
}

// Where most values lie, and after which actions cells are empty.
void print_values(const Structure& structure, const data::DataSummary& summary) {
  Rows rows;
  const std::size_t F = structure.factors.size();
  for (std::size_t f = 0; f < F; ++f) {
    const MeasuredFactor& factor = structure.factors[f];
    const std::vector<double>& at = summary.quantiles[f];
    const auto shown = [&](double value) {
      return factor.has_levels() ? factor.levels[static_cast<std::size_t>(value)]
                                 : fmt::format("{:.4g}", value);
    };
    std::string text =
        at.empty() ? "no value at all"
                   : fmt::format("median {}{}{}, 90% from {} to {}", shown(at[1]),
                                 factor.unit.empty() ? "" : " ", factor.unit, shown(at[0]), shown(at[2]));
    std::string empty;
    for (std::size_t a = 0; a < structure.actions.size(); ++a) {
      if (structure.is_terminal(static_cast<int>(a)) || !factor.yielded(static_cast<int>(a))) continue;
      if (summary.actions[a] == 0) continue;
      empty += fmt::format(
          "{}{:.1f}% after {}", empty.empty() ? "" : ", ",
          100.0 * static_cast<double>(summary.empty[a * F + f]) / static_cast<double>(summary.actions[a]),
          structure.actions[a]);
    }
    if (!empty.empty()) text.append("; empty: ").append(empty);
    rows.push_back({factor.name, text});
  }
  print_columns("Values", rows);
}

// What each action can yield: its factors, or its outcomes if they are listed one by one.
void print_masks(const Study& study) {
  Rows rows;
  for (int a = 0; a < study.structure.action_count(); ++a) {
    std::vector<std::string> yields;
    if (study.structure.measured()) {
      for (const MeasuredFactor& factor : study.structure.factors) {
        if (!study.structure.is_terminal(a) && factor.yielded(a)) yields.push_back(factor.name);
      }
    } else if (study.mapping) {
      for (const Factor& factor : study.mapping->factors) {
        if (factor.yielded(a)) yields.push_back(factor.name);
      }
    } else {
      for (int z = 0; z < study.structure.observation_count(); ++z) {
        if (study.structure.can_yield(a, z)) yields.push_back(study.structure.observations[z]);
      }
    }
    rows.push_back({study.structure.actions[a], study.structure.is_terminal(a)
                                                    ? "nothing: it ends the record"
                                                    : fmt::format("{}", fmt::join(yields, ", "))});
  }
  print_columns("What an action yields", rows);
}

void print_lengths(const data::DataSummary& summary) {
  constexpr std::size_t kMostLines = 12;
  Rows rows;
  std::int64_t beyond = 0;
  for (const auto& [length, records] : summary.lengths) {
    if (rows.size() < kMostLines) {
      rows.push_back({fmt::format("{}", length), count_and_share(records, summary.patients)});
    } else {
      beyond += records;
    }
  }
  if (beyond > 0) rows.push_back({"more", count_and_share(beyond, summary.patients)});
  print_columns("Visits in a record", rows);
}

}  // namespace

void print_check(const service::StudyCheck& check) {
  const Structure& structure = check.study.structure;
  Rows rows = {
      {"study", check.study.name.empty() ? "(no name)" : check.study.name},
      {"states", fmt::format("{}", fmt::join(structure.states, ", "))},
      {structure.measured() ? "factors" : "outcomes",
       fmt::format("{}", structure.measured() ? structure.factors.size() : structure.observations.size())}};
  if (check.summary) {
    rows.push_back(
        {"data", fmt::format("{} patients, {} decisions, {} distinct histories", check.summary->patients,
                             check.summary->decisions, check.summary->histories)});
  }
  print_rows(rows);
  print_masks(check.study);
  if (!check.summary) return;
  if (check.mapping) print_attrition(check.mapping->attrition);
  Rows actions;
  for (std::size_t a = 0; a < structure.actions.size(); ++a) {
    actions.push_back(
        {structure.actions[a], count_and_share(check.summary->actions[a], check.summary->decisions)});
  }
  print_columns("Actions", actions);
  if (check.mapping) {
    for (std::size_t k = 0; k < check.mapping->factors.size(); ++k) {
      print_factor(check.study.mapping->factors[k], check.mapping->factors[k]);
    }
  }
  print_outcomes(structure, *check.summary);
  if (structure.measured()) print_values(structure, *check.summary);
  if (!check.summary->gap_quantiles.empty()) {
    const std::vector<double>& at = check.summary->gap_quantiles;
    print_columns("Between visits",
                  {{structure.time->unit,
                    fmt::format("median {:.4g}, 90% from {:.4g} to {:.4g}", at[1], at[0], at[2])}});
  }
  print_lengths(*check.summary);
}

}  // namespace interpole::cli
