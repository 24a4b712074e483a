#include "tasks.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <string>

#include "arrays.hpp"
#include "interpole/environment.hpp"
#include "interpole/error.hpp"
#include "interpole/fit.hpp"
#include "interpole/learners/registry/registry.hpp"
#include "interpole/service/evaluate/evaluate_task.hpp"
#include "interpole/service/evaluation_json.hpp"
#include "interpole/service/explain/audit_task.hpp"
#include "interpole/service/explain/bias_task.hpp"
#include "interpole/service/explain/check_task.hpp"
#include "interpole/service/explain/explain_task.hpp"
#include "interpole/service/explain/plot_task.hpp"
#include "interpole/service/explain/predictions_task.hpp"
#include "interpole/service/explorer/report_task.hpp"
#include "interpole/service/fit/fit_task.hpp"
#include "interpole/service/fit/learner_fit_task.hpp"
#include "interpole/service/fit/sample_task.hpp"
#include "interpole/service/fit/summary_json.hpp"
#include "interpole/service/plan/plan_task.hpp"
#include "interpole/service/study/simulate_task.hpp"
#include "interpole/service/study/study_task.hpp"
#include "run.hpp"

namespace interpole::python {

namespace py = pybind11;

PyObject*& error_type() {
  static PyObject* type = nullptr;
  return type;
}

namespace {

using Tables = std::vector<std::pair<std::string, std::string>>;  // name, path
using LearnerValues = std::map<std::string, double>;

// A task that writes files and has nothing else to give.
struct Nothing {};

std::optional<learn::CouplingScales> scales_of(const std::optional<double>& coupling) {
  if (!coupling) return {};
  if (!(*coupling >= 0.0)) {
    throw usage_error(fmt::format(
        "option coupling: {} is not a number from 0 to inf; leave it out to let the data choose", *coupling));
  }
  return learn::CouplingScales::all(*coupling);
}

// Text of the model file or learner file, and what there is to say as JSON.
py::tuple fit(const std::string& study, const Tables& data, const std::string& algorithm,
              const LearnerValues& learner_values, const std::optional<std::string>& dynamics,
              const std::optional<double>& coupling, const std::string& policy, const std::string& optimizer,
              int restarts, int most_iterations, std::uint64_t seed, int threads,
              const py::object& listener) {
  learners::LearnerOptions learner_options{seed, threads, {learner_values.begin(), learner_values.end()}};
  service::FitRequest request;
  request.study = study;
  request.data = {data};
  learn::FitOptions& options = request.options;
  if (!service::algorithm_named(algorithm).configure_search(learner_options, options)) {
    const service::LearnerFitRequest asked{study, {data}, "", algorithm, learner_options};
    const auto outcome = run(listener, [&](Sink& sink) { return service::run_learner_fit(asked, sink); });
    return py::make_tuple(outcome.text, service::to_json(outcome), outcome.interrupted,
                          std::vector<std::string>());
  }
  options.optimizer = learn::optimizer_named(optimizer);
  options.policy = policy_use_named(policy);
  if (algorithm == "interpole" && options.optimizer == learn::Optimizer::kAlgorithm1) {
    options.dynamics = DynamicsMode::kShared;
  }
  if (dynamics) options.dynamics = dynamics_mode_named(*dynamics);
  if (coupling) options.scales = scales_of(coupling);
  if (most_iterations != 0) {
    options.lbfgs.most_iterations = options.adam.most_iterations = most_iterations;
  }
  if (restarts != 0) options.restarts = restarts;
  options.seed = seed;
  options.threads = threads;
  const auto outcome = run(listener, [&](Sink& sink) { return service::run_fit(request, sink); });
  return py::make_tuple(format_fit(outcome.result), service::to_json(outcome), outcome.summary.interrupted,
                        outcome.term_sentences);
}

py::dict predictions(const std::string& model, const std::string& study, const Tables& data, bool names,
                     const py::object& listener) {
  const service::PredictionsRequest request{model, study, {data}, names};
  auto found = run(listener, [&](Sink& sink) { return service::run_predictions(request, sink); });
  const auto rows = static_cast<py::ssize_t>(found.decisions.size());
  const auto states = static_cast<py::ssize_t>(found.structure.states.size());
  const auto actions = static_cast<py::ssize_t>(found.structure.actions.size());
  py::dict result;
  result["states"] = found.structure.states;
  result["actions"] = found.structure.actions;
  result["patients"] = found.patients;
  result["visits"] = found.visits;
  result["first_row"] = array_of(std::move(found.first_row));
  result["steps"] = array_of(std::move(found.steps));
  std::vector<std::int32_t> taken;
  taken.reserve(found.decisions.size());
  for (const Step& step : found.decisions) taken.push_back(step.action);
  result["taken"] = array_of(std::move(taken));
  result["policies"] = array_of(std::move(found.policies), {rows, actions});
  result["beliefs"] =
      found.beliefs.empty() ? py::object(py::none()) : array_of(std::move(found.beliefs), {rows, states});
  return result;
}

py::tuple sample(const std::string& study, const Tables& data, const std::string& output,
                 const std::string& arviz, const std::string& dynamics, const std::optional<double>& coupling,
                 const std::string& policy, int draws, int warm_up, int chains, double target_accept,
                 int restarts, std::uint64_t seed, int threads, const py::object& listener) {
  service::SampleRequest request;
  request.study = study;
  request.data = {data};
  request.output = output;
  request.arviz = arviz;
  learn::SampleOptions& options = request.options;
  options.dynamics = dynamics_mode_named(dynamics);
  options.scales = scales_of(coupling);
  options.policy = policy_use_named(policy);
  options.draws = draws;
  options.warm_up = warm_up;
  options.chains = chains;
  options.target_accept = target_accept;
  if (restarts != 0) options.restarts = restarts;
  options.seed = seed;
  options.threads = threads;
  const auto outcome = run(listener, [&](Sink& sink) { return service::run_sample(request, sink); });
  service::DrawsTable table = service::draws_table(outcome);
  const auto rows = static_cast<py::ssize_t>(table.chain.size());
  const auto columns = static_cast<py::ssize_t>(table.columns.size());
  return py::make_tuple(service::to_json(outcome), table.columns, array_of(std::move(table.chain)),
                        array_of(std::move(table.iteration)),
                        array_of(std::move(table.values), {rows, columns}));
}

std::string simulate_table(const std::string& environment, std::optional<std::int64_t> patients,
                           std::uint64_t seed, int longest, const std::string& format,
                           const std::optional<double>& boundary, const std::string& output,
                           const std::string& truth, int threads, const py::object& listener) {
  service::SimulateRequest request;
  request.environment = environment;
  request.options.patients = patients ? *patients : environment_named(environment).typical_patients;
  request.options.seed = seed;
  request.options.longest = longest;
  request.options.threads = threads;
  request.format = format;
  request.boundary = boundary;
  request.output = output;
  request.truth = truth;
  const auto outcome = run(listener, [&](Sink& sink) { return service::run_simulate(request, sink); });
  return fmt::format("{} rows of {} patients", outcome.rows, outcome.patients);
}

std::string evaluate_model(const std::string& model, const std::string& study, const Tables& data,
                           const std::string& truth, int replicates, double level, std::uint64_t seed,
                           int threads, const py::object& listener) {
  service::EvaluateRequest request;
  request.model = model;
  request.study = study;
  request.data = {data};
  request.truth = truth;
  request.options.bootstrap = {replicates, level, seed, threads};
  request.options.stopping_time.seed = seed;
  return service::to_json(run(listener, [&](Sink& sink) { return service::run_evaluate(request, sink); }));
}

std::string bias_of(const std::string& model, const std::string& study, const Tables& data,
                    const std::string& draws, double margin, double level, bool shares, std::uint64_t seed,
                    int threads, const py::object& listener) {
  service::BiasRequest request;
  request.model = model;
  request.study = study;
  request.data = {data};
  request.draws = draws;
  request.options.margin = margin;
  request.options.level = level;
  request.shares = shares;
  request.seed = seed;
  request.threads = threads;
  return service::to_json(run(listener, [&](Sink& sink) { return service::run_bias(request, sink); }));
}

std::string audit_of(const std::string& model, const std::string& study, const Tables& data,
                     const std::string& csv, const std::vector<std::string>& cohorts,
                     const std::vector<std::string>& tests, std::int64_t min_cell,
                     const std::optional<double>& certainty, std::uint64_t seed, int threads,
                     const py::object& listener) {
  service::AuditRequest request;
  request.model = model;
  request.study = study;
  request.data = {data};
  request.csv = csv;
  request.cohorts = cohorts;
  request.options.tests = tests;
  request.tables.min_cell = min_cell;
  request.certainty = certainty;
  request.options.seed = seed;
  request.options.threads = threads;
  return service::to_json(run(listener, [&](Sink& sink) { return service::run_audit(request, sink); }));
}

std::string check_of(const std::string& model, const std::string& study, const Tables& data, int threads,
                     const py::object& listener) {
  service::CheckRequest request;
  request.model = model;
  request.study = study;
  request.data = {data};
  request.options.threads = threads;
  return service::to_json(run(listener, [&](Sink& sink) { return service::run_check(request, sink); }));
}

std::string explanation_of(const std::string& model, const std::string& study, const Tables& data,
                           const std::string& patient, double level, std::uint64_t seed,
                           const py::object& listener) {
  const service::ExplainRequest request{model, study, {data}, patient, "", level, seed};
  return service::to_json(run(listener, [&](Sink& sink) { return service::run_explain(request, sink); }));
}

void plot(const std::string& kind, const std::string& model, const std::string& study, const Tables& data,
          const std::vector<std::string>& patients, bool show_ids, double level, std::uint64_t seed,
          int threads, const std::string& output, const py::object& listener) {
  service::PlotRequest request;
  request.kind = kind;
  request.model = model;
  request.study = study;
  request.data = {data};
  request.patients = patients;
  request.show_ids = show_ids;
  request.level = level;
  request.seed = seed;
  request.threads = threads;
  request.output = output;
  run(listener, [&](Sink& sink) {
    service::run_plot(request, sink);
    return Nothing{};
  });
}

void report(const std::string& model, const std::string& study, const Tables& data, const std::string& title,
            bool allow_individual, std::int64_t min_cell, std::uint64_t seed, int threads,
            const std::string& output, const py::object& listener) {
  service::ReportRequest request;
  request.model = model;
  request.study = study;
  request.data = {data};
  request.title = title;
  request.allow_individual = allow_individual;
  request.min_cell = min_cell;
  request.seed = seed;
  request.threads = threads;
  request.output = output;
  run(listener, [&](Sink& sink) {
    service::run_report(request, sink);
    return Nothing{};
  });
}

py::tuple plan(const std::string& problem, const std::optional<int>& horizon,
               const std::optional<double>& discount, const std::string& method,
               const std::optional<double>& epsilon, const std::string& output, const py::object& listener) {
  service::PlanRequest request;
  request.problem = problem;
  request.output = output;
  request.discount = discount;
  request.options.method = planning::plan_method_named(method);
  request.options.horizon = horizon;
  request.options.epsilon = epsilon;
  const auto outcome = run(listener, [&](Sink& sink) { return service::run_plan(request, sink); });
  const planning::AlphaVectors& found = outcome.summary.value.vectors();
  std::vector<std::int64_t> actions(found.actions.begin(), found.actions.end());
  std::vector<double> values = found.values;
  const auto vectors = static_cast<py::ssize_t>(actions.size());
  const auto states = static_cast<py::ssize_t>(outcome.problem.states.size());
  return py::make_tuple(service::to_json(outcome, request), outcome.problem.states, outcome.problem.actions,
                        array_of(std::move(actions)), array_of(std::move(values), {vectors, states}));
}

std::string check_study(const std::string& study, const Tables& data, const py::object& listener) {
  const service::StudyCheckRequest request{study, {data}};
  return service::to_json(run(listener, [&](Sink& sink) { return service::run_study_check(request, sink); }));
}

// From a study's data to its history tree and no further: patients, decisions, distinct histories.
py::tuple read_data(const std::string& study, const Tables& data, const py::object& listener) {
  const auto counts = run(listener, [&](Sink&) {
    return service::counts_of(service::read_learning_data(study, {data}, {}).tree);
  });
  return py::make_tuple(counts.patients, counts.decisions, counts.histories);
}

// Every row of the registry: name, description, whether it searches a posterior, options.
py::list learner_rows() {
  py::list rows;
  for (const learners::Learner* learner : learners::all_learners()) {
    py::list options;
    for (const learners::LearnerOption& option : learner->options()) {
      options.append(py::make_tuple(option.name, option.value, option.help, option.lowest, option.highest,
                                    option.whole));
    }
    learn::FitOptions unused;
    const bool searches = learner->configure_search({}, unused);
    rows.append(py::make_tuple(learner->name(), learner->description(), searches, options));
  }
  return rows;
}

}  // namespace

void add_tasks(py::module_& module) {
  module.def("learner_rows", &learner_rows);
  module.def("environments", &environment_names);
  module.def("figures", &service::figure_kinds);
  module.def("fit", &fit, py::arg("study"), py::arg("data"), py::arg("algorithm"), py::arg("learner_values"),
             py::arg("dynamics"), py::arg("coupling"), py::arg("policy"), py::arg("optimizer"),
             py::arg("restarts"), py::arg("most_iterations"), py::arg("seed"), py::arg("threads"),
             py::arg("listener"));
  module.def("predictions", &predictions, py::arg("model"), py::arg("study"), py::arg("data"),
             py::arg("names"), py::arg("listener"));
  module.def("sample", &sample, py::arg("study"), py::arg("data"), py::arg("output"), py::arg("arviz"),
             py::arg("dynamics"), py::arg("coupling"), py::arg("policy"), py::arg("draws"),
             py::arg("warm_up"), py::arg("chains"), py::arg("target_accept"), py::arg("restarts"),
             py::arg("seed"), py::arg("threads"), py::arg("listener"));
  module.def("simulate", &simulate_table, py::arg("environment"), py::arg("patients"), py::arg("seed"),
             py::arg("longest"), py::arg("format"), py::arg("boundary"), py::arg("output"), py::arg("truth"),
             py::arg("threads"), py::arg("listener"));
  module.def("evaluate", &evaluate_model, py::arg("model"), py::arg("study"), py::arg("data"),
             py::arg("truth"), py::arg("replicates"), py::arg("level"), py::arg("seed"), py::arg("threads"),
             py::arg("listener"));
  module.def("bias", &bias_of, py::arg("model"), py::arg("study"), py::arg("data"), py::arg("draws"),
             py::arg("margin"), py::arg("level"), py::arg("shares"), py::arg("seed"), py::arg("threads"),
             py::arg("listener"));
  module.def("audit", &audit_of, py::arg("model"), py::arg("study"), py::arg("data"), py::arg("csv"),
             py::arg("cohorts"), py::arg("tests"), py::arg("min_cell"), py::arg("certainty"), py::arg("seed"),
             py::arg("threads"), py::arg("listener"));
  module.def("check", &check_of, py::arg("model"), py::arg("study"), py::arg("data"), py::arg("threads"),
             py::arg("listener"));
  module.def("explain", &explanation_of, py::arg("model"), py::arg("study"), py::arg("data"),
             py::arg("patient"), py::arg("level"), py::arg("seed"), py::arg("listener"));
  module.def("plot", &plot, py::arg("kind"), py::arg("model"), py::arg("study"), py::arg("data"),
             py::arg("patients"), py::arg("show_ids"), py::arg("level"), py::arg("seed"), py::arg("threads"),
             py::arg("output"), py::arg("listener"));
  module.def("report", &report, py::arg("model"), py::arg("study"), py::arg("data"), py::arg("title"),
             py::arg("allow_individual"), py::arg("min_cell"), py::arg("seed"), py::arg("threads"),
             py::arg("output"), py::arg("listener"));
  module.def("plan", &plan, py::arg("problem"), py::arg("horizon"), py::arg("discount"), py::arg("method"),
             py::arg("epsilon"), py::arg("output"), py::arg("listener"));
  module.def("read_data", &read_data, py::arg("study"), py::arg("data"), py::arg("listener"));
  module.def("check_study", &check_study, py::arg("study"), py::arg("data"), py::arg("listener"));
}

}  // namespace interpole::python
