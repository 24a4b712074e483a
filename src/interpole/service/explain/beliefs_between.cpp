#include "interpole/service/explain/beliefs_between.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/files/csv.hpp"
#include "interpole/base/stop.hpp"
#include "interpole/belief.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/error.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/model_study.hpp"

namespace interpole::service {
namespace {

void require_times(const Structure& structure, const std::vector<double>& times) {
  if (!structure.timed()) {
    throw usage_error(
        "option at: the model knows no time between visits, so that there is nothing between them; leave it "
        "out, or "
        "fit a study with time under [record]");
  }
  const bool steps = structure.time->rule == TimeRule::kSteps;
  for (const double time : times) {
    if (!(time >= 0.0) || !std::isfinite(time))
      throw usage_error(fmt::format("option at: {} is before the first visit; give times from 0 on", time));
    const double in_steps = time / structure.time->typical_gap();
    if (steps && std::abs(in_steps - std::round(in_steps)) > 1e-6) {
      throw usage_error(fmt::format("option at: {} is no whole number of steps of {} {}; give one", time,
                                    structure.time->typical_gap(), structure.time->unit));
    }
  }
}

// One record's rows, as times ascend.
class RecordBeliefs {
 public:
  RecordBeliefs(const Model& model, const std::vector<double>& times) : model_(model), times_(times) {}

  // Calls row(time, belief). The step whose outcome is impossible, if there is one.
  template <class Row>
  std::optional<std::size_t> run(std::span<const Step> steps, std::span<const double> covariates,
                                 const Row& row) const {
    const Structure& structure = model_.structure;
    std::vector<double> belief = start_belief(model_.agent.dynamics, covariates);
    std::vector<double> next(belief.size());
    double visit = 0.0;
    auto time = times_.begin();
    for (std::size_t t = 0; t < steps.size(); ++t) {
      const Step step = steps[t];
      const bool last = t + 1 == steps.size();
      const bool ends = structure.is_terminal(step.action);
      const double gap = step.gap == kNoGap ? 0.0 : structure.gaps.table->at(step.gap);
      for (; time != times_.end() && (*time < visit + gap || last); ++time) {
        if (*time == visit) {
          row(*time, belief);
          continue;
        }
        if (ends) return std::nullopt;
        const auto passed = transition_over(structure, model_.agent.dynamics, step.action, *time - visit);
        update_belief(structure, model_.agent.dynamics, {step.action, kMissing}, passed, belief, next);
        row(*time, next);
      }
      if (last || ends) break;
      if (!(update_belief(structure, model_.agent.dynamics, step, belief, next) > 0.0)) return t;
      belief.swap(next);
      visit += gap;
    }
    return std::nullopt;
  }

 private:
  const Model& model_;
  const std::vector<double>& times_;
};

}  // namespace

BeliefsBetween write_beliefs_between(const Model& model, const Study& study, const DataFiles& data,
                                     std::vector<double> times, const std::string& output, Sink& sink) {
  require_times(model.structure, times);
  std::ranges::sort(times);
  base::AtomicFile file(output, base::NewFile::kPrivate);
  std::string header = "patient,time";
  for (const auto& name : model.structure.states) header += "," + base::csv_cell("belief:" + name);
  file.write(header + "\n");
  const RecordBeliefs beliefs(model, times);
  BeliefsBetween written;
  const auto covariates = covariates_of(model.agent, study, data, sink);
  const auto add = [&](const data::RecordView& record, std::span<const double> values) {
    base::stop_if_asked(sink);
    const std::string patient = base::csv_cell(record.patient);
    const auto impossible = beliefs.run(record.steps, values, [&](double time, const auto& belief) {
      file.write(fmt::format("{},{},{}\n", patient, time, fmt::join(belief, ",")));
      ++written.rows;
    });
    if (impossible) {
      const Step step = record.steps[*impossible];
      throw impossible_outcome(study.structure, data, std::string(record.patient),
                               shown_place(record.visits, record.numbers, *impossible), step.action,
                               step.observation, "the model",
                               "correct the table, or use a model that allows it");
    }
    ++written.patients;
  };
  data::for_each_record_in_context(study, data, covariates, add, data::RecordDetails::kVisits);
  file.commit();
  return written;
}

}  // namespace interpole::service
