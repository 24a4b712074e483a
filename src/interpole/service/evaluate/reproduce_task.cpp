#include "interpole/service/evaluate/reproduce_task.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <span>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/files/hash.hpp"
#include "interpole/data/study/built_in_study.hpp"
#include "interpole/data/study_data.hpp"
#include "interpole/environment.hpp"
#include "interpole/error.hpp"
#include "interpole/evaluate/scores/stopping_time.hpp"
#include "interpole/service/evaluate/reproduce_figure.hpp"
#include "interpole/service/evaluate/reproduce_jobs.hpp"
#include "interpole/service/evaluate/reproduce_table.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/name_study.hpp"
#include "interpole/service/run_files.hpp"
#include "interpole/service/run_fingerprint.hpp"
#include "interpole/service/same_inputs.hpp"
#include "interpole/version.hpp"

namespace interpole::service {
namespace {

constexpr int kMostDatasets = 10'000;
constexpr int kFolds = 5;             // as the authors deal ADNI
constexpr const char* kTest = "mri";  // whose ordering Table 2 predicts

void require_sense(const ReproduceRequest& request, const evaluate::PaperTable& table) {
  if (request.datasets && (*request.datasets < 1 || *request.datasets > kMostDatasets)) {
    throw usage_error(
        fmt::format("option datasets: {} is not a number from 1 to {}", *request.datasets, kMostDatasets));
  }
  if (request.patients && *request.patients < 1) {
    throw usage_error(
        fmt::format("option patients: {} is not positive; simulate at least one", *request.patients));
  }
  if (table.against_truth) {
    const auto only_adni = [&](const char* flag, bool given) {
      if (!given) return;
      throw usage_error(
          fmt::format("{}: a flag of reproduce adni; {} is simulated, and has a truth", flag, table.title));
    };
    only_adni("option data", !request.data.tables.empty());
    only_adni("option study", !request.study.empty());
    only_adni("option folds", request.folds.has_value());
  }
  if (request.data.tables.empty() != request.study.empty()) {
    throw usage_error(
        "option data and option study belong together: the table as you got it, and "
        "studies/adni/adnimerge.toml or "
        "studies/adni/tadpole.toml for it");
  }
  if (!request.data.tables.empty() && request.patients) {
    throw usage_error("option patients: how many are simulated; with option data leave it out");
  }
}

void read_user_table(const ReproduceRequest& request, ReproducePlan& plan) {
  plan.study = read_study(request.study);
  HistoryTreeBuilder builder(plan.study.structure.action_count());
  data::for_each_record(plan.study, request.data, [&](const data::RecordView& record) {
    builder.add(record.steps);
    plan.records.push_back({std::string(record.patient), {record.steps.begin(), record.steps.end()}});
  });
  require_possible(plan.study, request.data, builder.build());
  plan.patients = static_cast<std::int64_t>(plan.records.size());
}

ReproducePlan plan_of(const ReproduceRequest& request) {
  ReproducePlan plan;
  plan.table = evaluate::paper_table_named(request.table);
  require_sense(request, plan.table);
  plan.rows = evaluate::table_rows_named(request.learners);
  plan.datasets = request.datasets.value_or(plan.table.datasets);
  plan.patients = request.patients.value_or(plan.table.patients);
  plan.seed = request.seed;
  plan.threads = request.threads;
  if (request.data.tables.empty()) {
    plan.study = data::built_in_study(plan.table.name);
  } else {
    read_user_table(request, plan);
  }
  if (plan.table.against_truth) {
    plan.truth = environment_named(plan.table.name).truth;
    return plan;
  }
  plan.parts = request.folds.value_or(kFolds);
  plan.scored = plan.study.structure.find_action(kTest);
  if (plan.scored < 0) {
    throw input_error(
        fmt::format("{}: no action is called \"{}\", whose ordering Table 2 predicts; use a study "
                    "of studies/adni, or interpole compare",
                    request.study, kTest));
  }
  return plan;
}

base::Checkpoint::Fingerprint fingerprint_of(const ReproduceRequest& request, const ReproducePlan& plan) {
  const std::string verb = "reproduce " + plan.table.name;
  base::Checkpoint::Fingerprint result;
  if (request.study.empty()) {
    result = {{"verb", verb},
              {"program's version", version()},
              {"study's SHA-256", base::sha256(data::built_in_study_text(plan.table.name))},
              {"option patients", std::to_string(plan.patients)}};
  } else {
    result = run_fingerprint(verb, request.study, request.data);
  }
  result.emplace_back("option seed", std::to_string(plan.seed));
  result.emplace_back("option folds", std::to_string(plan.parts));
  return result;
}

std::filesystem::path made_folder(const std::string& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (!std::filesystem::is_directory(folder)) {
    throw runtime_error(
        fmt::format("option output: {} is not a folder and cannot be made one{}; name another", folder,
                    problem ? " (" + problem.message() + ")" : ""));
  }
  return folder;
}

// The mean over parts, if all are done.
std::optional<evaluate::TableRun> run_of_parts(const ReproducePlan& plan,
                                               std::span<const std::optional<evaluate::TableRun>> parts) {
  evaluate::TableRun whole;
  for (const auto& part : parts) {
    if (!part) return {};
    whole.converged &= part->converged;
    whole.seconds += part->seconds;
    if (whole.fit_note.empty()) whole.fit_note = part->fit_note;
    if (whole.failure.empty()) whole.failure = part->failure;
  }
  for (std::size_t k = 0; k < plan.table.scores.size(); ++k) {
    double sum = 0.0;
    int count = 0;
    for (const auto& part : parts) {
      if (!part->scores[k]) continue;
      sum += *part->scores[k];
      ++count;
    }
    whole.scores.push_back(count > 0 && whole.failure.empty() ? std::optional(sum / count) : std::nullopt);
  }
  return whole;
}

// As the paper prints its own: a difference that would not show there is none.
bool is_worse(const evaluate::TableScore& score, double ours, double paper) {
  const double unit = std::pow(10.0, score.paper_digits) * score.shown_times;
  const double difference = std::round(ours * unit) - std::round(paper * unit);
  return score.lower_is_better ? difference > 0.0 : difference < 0.0;
}

ReproducedRow row_of(const ReproducePlan& plan, std::size_t row, const std::vector<ReproduceRun>& runs) {
  ReproducedRow result;
  result.row = plan.rows[row];
  for (const ReproduceRun& run : runs) {
    if (run.row != row) continue;
    ++result.runs;
    result.not_converged += run.result.converged ? 0 : 1;
    result.seconds += run.result.seconds;
    if (result.failure.empty()) result.failure = run.result.failure;
  }
  for (std::size_t k = 0; k < plan.table.scores.size(); ++k) {
    const evaluate::TableScore& score = plan.table.scores[k];
    std::vector<double> values;
    for (const ReproduceRun& run : runs) {
      if (run.row == row && run.result.scores[k]) values.push_back(*run.result.scores[k]);
    }
    ReproducedScore reproduced;
    reproduced.ours = evaluate::over_datasets(std::move(values), score.least, score.most);
    reproduced.paper = evaluate::paper_figure(plan.table.number, result.row.paper, score.key);
    reproduced.worse = reproduced.paper && reproduced.ours.mean &&
                       is_worse(score, *reproduced.ours.mean, reproduced.paper->mean);
    result.scores.push_back(reproduced);
  }
  return result;
}

evaluate::OverDatasets stopping_time_of_truth(const ReproducePlan& plan) {
  std::vector<double> errors;
  for (int dataset = 0; dataset < plan.datasets; ++dataset) {
    const evaluate::StoppingTimeOptions options{.patients = evaluate::kTestPatients,
                                                .seed = plan.seed_of(dataset)};
    errors.push_back(evaluate::stopping_time_error(*plan.truth, *plan.truth, options).independent.value());
  }
  return evaluate::over_datasets(std::move(errors), 0.0, INFINITY);
}

ReproduceOutcome outcome_of(const ReproducePlan& plan,
                            const std::vector<std::optional<evaluate::TableRun>>& parts) {
  ReproduceOutcome outcome;
  outcome.table = plan.table;
  outcome.seed = plan.seed;
  outcome.datasets = plan.datasets;
  outcome.patients = plan.patients;
  outcome.folds = plan.table.against_truth ? 0 : plan.parts;
  for (int dataset = 0; dataset < plan.datasets; ++dataset) {
    for (std::size_t row = 0; row < plan.rows.size(); ++row) {
      const std::size_t first = (dataset * plan.rows.size() + row) * plan.parts;
      auto run = run_of_parts(plan, std::span(parts).subspan(first, plan.parts));
      if (!run) {
        outcome.interrupted = true;
        continue;
      }
      outcome.runs.push_back({dataset + 1, plan.seed_of(dataset), row, std::move(*run)});
    }
  }
  for (std::size_t row = 0; row < plan.rows.size(); ++row) {
    outcome.rows.push_back(row_of(plan, row, outcome.runs));
  }
  if (plan.truth) outcome.stopping_time_of_truth = stopping_time_of_truth(plan);
  return outcome;
}

// Everything write_files may write.
NamedFiles files_in(const std::filesystem::path& folder) {
  NamedFiles files;
  for (const char* name : {"table.txt", "table.json", "table.csv", "table.tex", "runs.csv", "seconds.csv",
                           "figure5.svg", "fits.checkpoint"}) {
    files.emplace_back("option output", (folder / name).string());
  }
  return files;
}

void write_files(const std::filesystem::path& folder, const ReproducePlan& plan, ReproduceOutcome& outcome,
                 Sink& sink) {
  const auto write = [&](std::string_view name, const std::string& bytes) {
    const std::string file = (folder / name).string();
    base::write_file_atomically(file, bytes);
    outcome.files.push_back(file);
  };
  write("table.txt", reproduced_text(outcome));
  write("table.json", to_json(outcome) + "\n");
  write("table.csv", reproduced_csv(outcome));
  write("table.tex", reproduced_latex(outcome));
  write("runs.csv", runs_csv(outcome));
  write("seconds.csv", seconds_csv(outcome));
  if (!plan.table.against_truth || outcome.interrupted) return;
  const std::string figure = figure_of_minds(plan, sink);
  if (!figure.empty()) write("figure5.svg", figure);
}

}  // namespace

ReproduceOutcome run_reproduce(const ReproduceRequest& request, Sink& sink) {
  require_same_inputs(with_data({{"option study", request.study}}, request.data));
  const ReproducePlan plan = plan_of(request);
  std::optional<base::Checkpoint> kept;
  std::filesystem::path folder;
  if (!request.output.empty()) {
    folder = made_folder(request.output);
    require_separate_files(files_in(folder), with_data({{"option study", request.study}}, request.data));
    kept.emplace((folder / "fits.checkpoint").string(), fingerprint_of(request, plan), 0.0,
                 "name another folder by option output, or delete this file to begin anew");
  }
  const auto runs = name_study(request.study, [&] { return run_jobs(plan, kept ? &*kept : nullptr, sink); });
  ReproduceOutcome outcome = outcome_of(plan, runs);
  outcome.data = request.data.shown();
  if (outcome.runs.empty()) {
    throw Error(ErrorKind::kInterrupted,
                "stopped before a learner was done with a data set" +
                    std::string(kept ? "; the same command goes on from the fits that are" : ""));
  }
  for (const ReproducedRow& row : outcome.rows) {
    if (!row.failure.empty()) sink.warn(fmt::format("{}: {}", row.row.name, row.failure));
  }
  if (kept) write_files(folder, plan, outcome, sink);
  return outcome;
}

}  // namespace interpole::service
