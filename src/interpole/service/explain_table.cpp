#include "interpole/service/explain_table.hpp"

#include <cmath>

#include "interpole/base/csv.hpp"
#include "interpole/base/error.hpp"
#include "interpole/data/study_data.hpp"
#include "interpole/model/model_file.hpp"
#include "interpole/service/explain_task.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/known_patient.hpp"
#include "interpole/service/model_study.hpp"

namespace interpole {
namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 20;

void put(fmt::memory_buffer& line, double x) {
  line.push_back(',');
  if (std::isfinite(x)) fmt::format_to(fmt::appender(line), "{:.6g}", x);
}

void put(fmt::memory_buffer& line, const std::vector<double>& values) {
  for (const double x : values) put(line, x);
}

void put_name(fmt::memory_buffer& line, const std::string& name) {
  line.push_back(',');
  line.append(csv_cell(name));
}

}  // namespace

ExplainTable::ExplainTable(const std::string& path, const Structure& structure, const OutcomeFactors& factors,
                           const Parameters& agent)
    : file_(path),
      structure_(structure),
      factors_(factors),
      agent_(agent),
      explainer_(structure, factors, agent) {
  write_header();
}

void ExplainTable::write_header() {
  std::string header =
      "patient,step,visit,action,observation,likeliest_action,probability,surprise_bits,tail,boundary_action,"
      "boundary_distance";
  const auto columns = [&](const std::string& what, const std::vector<std::string>& names) {
    for (const auto& name : names) header += "," + csv_cell(what + ":" + name);
  };
  columns("belief", structure_.states);
  columns("policy", structure_.actions);
  columns("time", structure_.states);
  columns("evidence", structure_.states);
  columns("time_log_odds", structure_.states);
  for (const auto& factor : factors_.names) columns(factor + "_log_odds", structure_.states);
  file_.write(header + "\n");
}

ExplainTable::Entry ExplainTable::make_entry(std::span<const double> belief, Step step) {
  const DecisionExplanation decision = explainer_.explain(belief, step);
  const std::size_t S = structure_.states.size();
  const std::vector<double> none(S, NAN);
  fmt::memory_buffer line;
  put_name(line, structure_.actions[step.action]);
  put_name(line, step.observation == kMissing ? std::string() : structure_.observations[step.observation]);
  put_name(line, structure_.actions[decision.region]);
  put(line, std::vector{decision.probability, decision.surprise, decision.tail});
  put_name(line, decision.boundary ? structure_.actions[decision.boundary->action] : std::string());
  put(line, decision.boundary ? decision.boundary->distance : NAN);
  put(line, decision.belief);
  put(line, decision.policy);
  const bool moves = decision.move && decision.move->chance > 0.0;
  put(line, moves ? decision.move->time.belief : none);
  put(line, moves ? decision.move->evidence.belief : none);
  put(line, moves ? decision.move->time.log_odds : none);
  std::vector<std::vector<double>> shares(factors_.names.size(), none);
  if (moves) {
    for (const auto& share : decision.move->factors) shares[share.factor] = share.shift.log_odds;
  }
  for (const auto& share : shares) put(line, share);
  line.push_back('\n');
  Entry entry{fmt::to_string(line), {}, decision.move && !moves};
  if (moves) entry.after = decision.move->after;
  return entry;
}

std::optional<std::size_t> ExplainTable::add(const RecordView& record) {
  patient_ = csv_cell(record.patient);
  const std::uint64_t outcomes = structure_.observations.size() + 1;
  const std::uint64_t branches = outcomes * structure_.actions.size();
  std::int64_t last = -1;  // entry of the step before; −1: the first
  bool keeping = true;     // the history is among the entries
  Entry passing;           // the step before, where it is not
  for (std::size_t t = 0; t < record.steps.size(); ++t) {
    const Step step = record.steps[t];
    const std::uint64_t key = static_cast<std::uint64_t>(last + 1) * branches +
                              static_cast<std::uint64_t>(step.action) * outcomes +
                              static_cast<std::uint64_t>(step.observation + 1);
    const auto found = keeping ? index_.find(key) : index_.end();
    if (found != index_.end()) {
      last = found->second;
    } else {
      const std::vector<double>& before = t == 0    ? agent_.dynamics.initial
                                          : keeping ? entries_[last].after
                                                    : passing.after;
      Entry entry = make_entry(before, step);
      keeping = keeping && kept_bytes_ < kMostBytes;
      if (keeping) {
        kept_bytes_ += entry.text.size() + sizeof(Entry) + entry.after.size() * sizeof(double) + 64;
        last = static_cast<std::int64_t>(entries_.size());
        entries_.push_back(std::move(entry));
        index_.emplace(key, last);
      } else {
        passing = std::move(entry);
      }
    }
    const Entry& entry = keeping ? entries_[last] : passing;
    if (entry.impossible) return t;
    write_row(record, t, entry.text);
  }
  return std::nullopt;
}

void ExplainTable::write_row(const RecordView& record, std::size_t t, const std::string& text) {
  line_.clear();
  line_.append(patient_);
  line_.push_back(',');
  line_.append(fmt::format_int(record.numbers[t]));
  line_.push_back(',');
  if (!record.visits.empty()) line_.append(csv_cell(record.visits[t]));
  line_.append(text);
  file_.write({line_.data(), line_.size()});
}

ExplainTableOutcome run_explain_table(const ExplainRequest& request, const std::string& output, Sink& sink) {
  const Model model = read_model(request.model);
  const Study study = study_of_model(request.study, request.model, model.structure);
  const OutcomeFactors factors = outcome_factors(study);
  ExplainTable table(output, model.structure, factors, model.agent);
  ExplainTableOutcome outcome;
  for_each_record(study, request.data, [&](const RecordView& record) {
    if (sink.stop_requested()) throw Error(ErrorKind::kInterrupted, "stopped; nothing was written");
    if (!request.patient.empty() && record.patient != request.patient) return;
    const auto impossible = table.add(record);
    if (impossible) {
      const Step step = record.steps[*impossible];
      throw impossible_outcome(model.structure, request.data, std::string(record.patient),
                               shown_place(record.visits, record.numbers, *impossible), step.action,
                               step.observation, "the model",
                               "correct the table, or use a model that allows it");
    }
    ++outcome.patients;
    outcome.decisions += static_cast<std::int64_t>(record.steps.size());
  });
  if (outcome.patients == 0 && !request.patient.empty()) {
    throw unknown_patient(study, request.data, request.patient);
  }
  table.commit();
  return outcome;
}

}  // namespace interpole
