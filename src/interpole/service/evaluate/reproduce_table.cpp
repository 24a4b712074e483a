#include "interpole/service/evaluate/reproduce_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/files/csv.hpp"
#include "interpole/base/number_text.hpp"
#include "interpole/service/text_table.hpp"
#include "interpole/version.hpp"

namespace interpole::service {
namespace {

constexpr const char* kWorse = "†";

bool has_paper(const ReproduceOutcome& outcome, std::size_t score) {
  for (const ReproducedRow& row : outcome.rows) {
    if (row.scores[score].paper) return true;
  }
  return false;
}

std::string shown_paper(const evaluate::TableScore& score,
                        const std::optional<evaluate::PaperFigure>& figure) {
  if (!figure) return "–";
  return fmt::format("{:.{}f} ± {:.4g}", figure->mean * score.shown_times, score.paper_digits,
                     figure->deviation * score.shown_times);
}

std::string shown_ours(const evaluate::TableScore& score, const evaluate::OverDatasets& ours) {
  if (!ours.mean) return "–";
  std::string text = fmt::format("{:.{}f}", *ours.mean * score.shown_times, score.digits);
  if (ours.interval) {
    text += fmt::format(" [{:.{}f}, {:.{}f}]", ours.interval->low * score.shown_times, score.digits,
                        ours.interval->high * score.shown_times, score.digits);
  }
  return text;
}

std::string remark(const ReproducedRow& row, int datasets) {
  if (!row.failure.empty()) return "could not learn";
  std::string text;
  if (row.runs < datasets) text = fmt::format("{} of {} sets", row.runs, datasets);
  if (row.not_converged > 0) {
    text += fmt::format("{}not converged: {} of {}", text.empty() ? "" : "; ", row.not_converged, row.runs);
  }
  return text;
}

// Columns of paper and ours for every score; one where the paper has none.
std::vector<std::vector<std::string>> cells(const ReproduceOutcome& outcome) {
  std::vector<std::string> titles = {""};
  std::vector<std::string> columns = {"learner"};
  const auto& scores = outcome.table.scores;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (has_paper(outcome, k)) {
      titles.emplace_back();
      columns.emplace_back("paper");
    }
    titles.push_back(scores[k].title);
    columns.emplace_back("ours [95%] ");
  }
  std::vector<std::vector<std::string>> rows = {titles, columns};
  for (const ReproducedRow& row : outcome.rows) {
    std::vector<std::string> line = {row.row.label};
    for (std::size_t k = 0; k < scores.size(); ++k) {
      if (has_paper(outcome, k)) line.push_back(shown_paper(scores[k], row.scores[k].paper));
      line.push_back(shown_ours(scores[k], row.scores[k].ours) + (row.scores[k].worse ? kWorse : " "));
    }
    line.push_back(remark(row, outcome.datasets));
    rows.push_back(std::move(line));
  }
  return rows;
}

std::string protocol(const ReproduceOutcome& outcome) {
  if (outcome.table.against_truth) {
    return fmt::format(
        "Mismatches: mean over the decisions of {} fresh patients of each data set. Stopping-time error: "
        "mean "
        "|τ − τ̂| over\n{} patients; learner and truth draw their actions independently (the paper's kind), "
        "or "
        "with common random numbers.\nTwo copies of the true decision-maker: {} and 0. Lower is better in "
        "all "
        "columns.\n",
        evaluate::kTestPatients, evaluate::kTestPatients,
        shown_ours(outcome.table.scores[2], *outcome.stopping_time_of_truth));
  }
  return fmt::format(
      "Scores of the prediction that an MRI is ordered: mean over {} folds by patient, first decisions left "
      "out.\nBrier: lower is better; areas: higher is better.{}\n",
      outcome.folds, outcome.data.empty() ? " The paper's patients are real, ours are simulated." : "");
}

std::string options_text(const evaluate::TableRow& row) {
  std::string text;
  for (const auto& [name, value] : row.options) {
    text += fmt::format("{}{}={:g}", text.empty() ? "" : " ", name, value);
  }
  return text;
}

std::string csv_number(const std::optional<double>& x) {
  return x ? fmt::format("{}", *x) : "";
}

std::string csv_ours(const evaluate::OverDatasets& ours) {
  const std::string interval =
      ours.interval ? fmt::format("{},{}", ours.interval->low, ours.interval->high) : ",";
  return fmt::format("{},{},{},{},{},{},{}", csv_number(ours.mean), interval, csv_number(ours.deviation),
                     csv_number(ours.median), csv_number(ours.lowest), csv_number(ours.highest), ours.count);
}

std::string csv_paper(const ReproducedScore& score) {
  if (!score.paper) return ",,";
  return fmt::format("{},{},{}", score.paper->mean, score.paper->deviation, score.worse);
}

// What every file says of the run that made it.
std::string csv_origin(const ReproduceOutcome& outcome) {
  return fmt::format("{},{}", version(), outcome.table.name);
}

std::string latex_text(std::string text) {
  const auto replace = [&](std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
      text.replace(at, from.size(), to);
    }
  };
  replace("&", "\\&");
  replace("_", "\\_");
  replace("%", "\\%");
  replace("Off. ", "Off.\\ ");
  replace("×10³", "$\\times 10^{3}$");
  replace("±", "$\\pm$");
  replace("–", "--");
  replace(kWorse, "$^\\dagger$");
  return text;
}

}  // namespace

std::string reproduced_settings(const ReproduceOutcome& outcome) {
  const std::string sets =
      outcome.data.empty()
          ? fmt::format("{} of {} patients", base::counted(outcome.datasets, "data set"),
                        base::grouped(outcome.patients))
          : fmt::format("{} ({} patients), dealt into folds {}", outcome.data,
                        base::grouped(outcome.patients), base::counted(outcome.datasets, "time"));
  const std::uint64_t last = outcome.seed + static_cast<std::uint64_t>(outcome.datasets) - 1;
  return sets + (outcome.datasets == 1 ? fmt::format(", seed {}", outcome.seed)
                                       : fmt::format(", seeds {} to {}", outcome.seed, last));
}

std::string reproduced_text(const ReproduceOutcome& outcome) {
  std::string text = fmt::format("{}, the paper's Table {}: {}\n", outcome.table.title, outcome.table.number,
                                 reproduced_settings(outcome));
  if (outcome.interrupted) text += "Interrupted: some fits are missing.\n";
  text += "\n" + aligned_table(cells(outcome), 2) +
          "\nOurs: mean over data sets with its 95% interval (Student's t). The paper's: mean ± standard "
          "deviation over five parts\nof one data set.\n" +
          protocol(outcome);
  const bool any_worse = std::ranges::any_of(outcome.rows, [](const ReproducedRow& row) {
    return std::ranges::any_of(row.scores, &ReproducedScore::worse);
  });
  if (any_worse)
    text += fmt::format("{} worse than the paper reports; docs/reproduce.md says why.\n", kWorse);
  return text + fmt::format("interpole {}\n", version());
}

std::string reproduced_csv(const ReproduceOutcome& outcome) {
  std::string text =
      "program_version,table,seed,datasets,patients,folds,learner,label,options,score,mean,interval_low,"
      "interval_high,deviation,median,lowest,highest,count,paper_mean,paper_deviation,worse_than_paper,runs,"
      "not_converged,failure\n";
  for (const ReproducedRow& row : outcome.rows) {
    const std::string begin =
        fmt::format("{},{},{},{},{},{},{},{},", csv_origin(outcome), outcome.seed, outcome.datasets,
                    outcome.patients, outcome.folds, row.row.name, base::shown_csv_cell(row.row.label),
                    base::shown_csv_cell(options_text(row.row)));
    for (std::size_t k = 0; k < outcome.table.scores.size(); ++k) {
      text += fmt::format("{}{},{},{},{},{},{}\n", begin, outcome.table.scores[k].key,
                          csv_ours(row.scores[k].ours), csv_paper(row.scores[k]), row.runs, row.not_converged,
                          base::shown_csv_cell(row.failure));
    }
  }
  return text;
}

std::string reproduced_latex(const ReproduceOutcome& outcome) {
  auto rows = cells(outcome);
  const std::size_t columns = rows[1].size();
  std::string text = fmt::format("% interpole {}: reproduce {}, {}\n% Needs \\usepackage{{booktabs}}.\n",
                                 version(), outcome.table.name, reproduced_settings(outcome));
  text += fmt::format("\\begin{{tabular}}{{@{{}}l{}@{{}}}}\n\\toprule\n", std::string(columns - 1, 'r'));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (std::size_t i = 0; i < columns; ++i) {
      const std::string cell = i < rows[r].size() ? rows[r][i] : "";
      line += (i == 0 ? "" : " & ") + latex_text(cell.substr(0, cell.find_last_not_of(' ') + 1));
    }
    text += line + " \\\\\n";
    if (r == 1) text += "\\midrule\n";
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

std::string runs_csv(const ReproduceOutcome& outcome) {
  std::string text = "program_version,table,dataset,seed,learner,options";
  for (const evaluate::TableScore& score : outcome.table.scores) text += "," + score.key;
  text += ",converged,how_it_went,failure\n";
  for (const ReproduceRun& run : outcome.runs) {
    const evaluate::TableRow& row = outcome.rows[run.row].row;
    text += fmt::format("{},{},{},{},{}", csv_origin(outcome), run.dataset, run.seed, row.name,
                        base::shown_csv_cell(options_text(row)));
    for (const auto& score : run.result.scores) text += "," + csv_number(score);
    text += fmt::format(",{},{},{}\n", run.result.converged, base::shown_csv_cell(run.result.fit_note),
                        base::shown_csv_cell(run.result.failure));
  }
  return text;
}

std::string seconds_csv(const ReproduceOutcome& outcome) {
  std::string text = "dataset,learner,processor_seconds\n";
  for (const ReproduceRun& run : outcome.runs) {
    text += fmt::format("{},{},{:.3f}\n", run.dataset, outcome.rows[run.row].row.name, run.result.seconds);
  }
  return text;
}

}  // namespace interpole::service
