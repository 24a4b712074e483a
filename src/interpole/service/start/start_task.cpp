#include "interpole/service/start/start_task.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/stop.hpp"
#include "interpole/data/draft/draft_text.hpp"
#include "interpole/error.hpp"
#include "interpole/service/evaluate/evaluate_task.hpp"
#include "interpole/service/explorer/report_task.hpp"
#include "interpole/service/start/start_words.hpp"

namespace interpole::service {
namespace {

namespace fs = std::filesystem;

// Asks the search to end when its time is up, and passes on nothing but progress: what the steps say is said
// once, at the end.
class TimedSink : public Sink {
 public:
  TimedSink(Sink& sink, double seconds)
      : sink_(sink),
        end_(std::chrono::steady_clock::now() +
             std::chrono::milliseconds(static_cast<long>(1000 * seconds))) {}
  void progress(const std::string& what, std::int64_t done, std::int64_t total) override {
    sink_.progress(what, done, total);
  }
  bool stop_requested() const override {
    return sink_.stop_requested() || std::chrono::steady_clock::now() > end_;
  }

 private:
  Sink& sink_;
  std::chrono::steady_clock::time_point end_;
};

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder)) {
    throw runtime_error(fmt::format("{}: the folder cannot be made: {}; choose another", folder,
                                    error ? error.message() : "a file of that name is there"));
  }
}

FitOutcome provisional_fit(const StartRequest& request, const StartOutcome& outcome, Sink& sink) {
  FitRequest fit;
  fit.study = outcome.study;
  fit.data = data_file(request.table);
  fit.output = outcome.model;
  // One set of dynamics is found in a fraction of the time, and a provisional report says nothing of what
  // decision-makers get wrong.
  fit.options.dynamics = DynamicsMode::kShared;
  fit.options.seed = request.seed;
  fit.options.threads = request.threads;
  TimedSink timed(sink, request.seconds);
  return run_fit(fit, timed);
}

nlohmann::ordered_json names_json(const StartOutcome& outcome) {
  return {{"folder", outcome.folder},
          {"study", outcome.study},
          {"model", outcome.model},
          {"report", outcome.report}};
}

}  // namespace

StartOutcome run_start(const StartRequest& request, Sink& sink) {
  StartOutcome outcome;
  outcome.folder =
      request.output.empty() ? fmt::format("interpole-{}", data::stem_of(request.table)) : request.output;
  const auto inside = [&](const char* name) { return (fs::path(outcome.folder) / name).string(); };
  outcome.study = inside("study.toml");
  outcome.model = inside("model.json");
  outcome.report = inside("report.html");
  std::error_code ignored;
  if (!request.force && fs::exists(outcome.study, ignored)) {
    throw usage_error(
        fmt::format("option output {}: there is a study in this folder, which may hold your own work; choose "
                    "another folder, or replace it with option force",
                    outcome.folder));
  }
  outcome.draft = draft_table(request.table);
  base::stop_if_asked(sink, "stopped before anything was written");
  make_folder(outcome.folder);
  base::write_file_atomically(outcome.study, outcome.draft.text);
  if (!outcome.draft.gave_up.empty()) {
    throw input_error(fmt::format("{}; what was understood is in {}, with {} questions marked DECIDE",
                                  outcome.draft.gave_up, outcome.study, outcome.draft.decisions));
  }
  outcome.check = run_study_check({outcome.study, data_file(request.table)}, sink);
  outcome.fit = provisional_fit(request, outcome, sink);
  base::stop_if_asked(sink, "stopped before the report was written");
  ReportRequest report;
  report.model = outcome.model;
  report.study = outcome.study;
  report.data = data_file(request.table);
  report.output = outcome.report;
  report.title = fmt::format("{} (provisional)", outcome.check.study.name);
  report.groups = false;
  report.seed = request.seed;
  report.threads = request.threads;
  TimedSink quiet(sink, 1e6);
  run_report(report, quiet);
  EvaluateRequest evaluation;
  evaluation.model = outcome.model;
  evaluation.study = outcome.study;
  evaluation.data = data_file(request.table);
  evaluation.options.bootstrap.replicates = 0;
  outcome.auroc = run_evaluate(evaluation, quiet).matching.auroc;
  outcome.assumed = assumptions(outcome);
  outcome.found = first_findings(outcome);
  outcome.cautions = cautions_of(outcome);
  return outcome;
}

std::string to_json(const StartOutcome& outcome) {
  nlohmann::ordered_json json = names_json(outcome);
  json["patients"] = outcome.check.summary->patients;
  json["decisions"] = outcome.check.summary->decisions;
  if (outcome.draft.guess) {
    nlohmann::ordered_json seen = nlohmann::ordered_json::object();
    for (const data::FactorGuess& factor : outcome.draft.guess->factors)
      seen[factor.column] = factor.seen == data::Reading::kBefore ? "before" : "after";
    json["seen"] = seen;
    json["seen_clear"] = outcome.draft.guess->seen.clear();
  }
  json["auroc"] = outcome.auroc ? nlohmann::ordered_json(*outcome.auroc) : nlohmann::ordered_json();
  json["converged"] = outcome.fit.summary.converged() && !outcome.fit.summary.interrupted;
  json["assumed"] = outcome.assumed;
  json["found"] = outcome.found;
  json["cautions"] = outcome.cautions;
  return json.dump(2);
}

}  // namespace interpole::service
