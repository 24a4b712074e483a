#include "interpole/service/beliefs_task.hpp"

#include <fmt/format.h>

#include "interpole/base/atomic_file.hpp"
#include "interpole/base/csv.hpp"
#include "interpole/base/error.hpp"
#include "interpole/data/study_data.hpp"
#include "interpole/model/belief.hpp"
#include "interpole/model/model_file.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/model_study.hpp"

namespace interpole {
namespace {

std::string header_of(const Structure& structure) {
  std::string header = "patient,step";
  for (const auto& name : structure.states) header += "," + csv_cell("belief:" + name);
  for (const auto& name : structure.actions) header += "," + csv_cell("policy:" + name);
  return header + "\n";
}

// Follows one record after another through the model and writes a row per decision.
class BeliefWriter {
 public:
  BeliefWriter(const BeliefsRequest& request, const Model& model)
      : request_(request),
        model_(model),
        file_(request.output),
        next_(model.structure.states.size()),
        policy_(model.structure.actions.size()) {
    file_.write(header_of(model.structure));
  }

  void add(const RecordView& record) {
    const std::string patient = csv_cell(record.patient);
    belief_ = model_.agent.dynamics.initial;
    for (std::size_t t = 0; t < record.steps.size(); ++t) {
      action_probabilities(model_.structure, model_.agent.policy, belief_, policy_);
      write_row(patient, record.numbers[t]);
      const Step& step = record.steps[t];
      if (t + 1 == record.steps.size() && step.observation == kMissing) break;
      if (!(update_belief(model_.structure, model_.agent.dynamics, step.action, step.observation, belief_,
                          next_) > 0.0)) {
        throw impossible_outcome(model_.structure, request_.data, std::string(record.patient),
                                 shown_place(record.visits, record.numbers, t), step.action, step.observation,
                                 "the model", "correct the table, or use a model that allows it");
      }
      belief_.swap(next_);
    }
  }

  void commit() { file_.commit(); }

 private:
  void write_row(const std::string& patient, std::int64_t number) {
    line_.clear();
    auto out = fmt::appender(line_);
    fmt::format_to(out, "{},{}", patient, number);
    for (const double b : belief_) fmt::format_to(out, ",{}", b);
    for (const double p : policy_) fmt::format_to(out, ",{}", p);
    line_.push_back('\n');
    file_.write({line_.data(), line_.size()});
  }

  const BeliefsRequest& request_;
  const Model& model_;
  AtomicFile file_;
  std::vector<double> belief_, next_, policy_;
  fmt::memory_buffer line_;
};

}  // namespace

BeliefsOutcome run_beliefs(const BeliefsRequest& request, Sink& sink) {
  const Model model = read_model(request.model);
  const Study study = study_of_model(request.study, request.model, model.structure);
  BeliefWriter writer(request, model);
  BeliefsOutcome outcome;
  for_each_record(study, request.data, [&](const RecordView& record) {
    if (sink.stop_requested()) throw Error(ErrorKind::kInterrupted, "stopped; nothing was written");
    writer.add(record);
    ++outcome.patients;
    outcome.decisions += static_cast<std::int64_t>(record.steps.size());
  });
  writer.commit();
  return outcome;
}

}  // namespace interpole
