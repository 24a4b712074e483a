#include "interpole/service/explain/plot_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/messages.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/data/study_data.hpp"
#include "interpole/error.hpp"
#include "interpole/fit.hpp"
#include "interpole/inference/node_beliefs.hpp"
#include "interpole/learn/draws/posterior_draws.hpp"
#include "interpole/report/figures/figure.hpp"
#include "interpole/report/figures/typical_belief.hpp"
#include "interpole/service/checked_records.hpp"
#include "interpole/service/explain/plot_records.hpp"
#include "interpole/service/explain/shares_task.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/model_study.hpp"
#include "interpole/service/run_files.hpp"
#include "interpole/version.hpp"

namespace interpole::service {
namespace {

constexpr std::size_t kMostPatients = 12;

bool needs_data(const std::string& kind) {
  return kind != "tree" && kind != "bias" && kind != "densities";
}

bool shows_records(const std::string& kind) {
  return kind == "trajectory" || kind == "beliefs" || kind == "figure4";
}

bool ends_in(const std::string& path, const char* extension) {
  return std::filesystem::path(path).extension() == extension;
}

// Evenly spread over all draws, so that every chain has its share.
report::FigureDraws figure_draws(const PlotRequest& request, const FitResult& fit) {
  report::FigureDraws result;
  result.level = request.level;
  learn::PosteriorDraws posterior = learn::posterior_draws_if_any(fit, request.draws, request.seed);
  if (posterior.draws.empty()) return result;
  const std::size_t all = posterior.draws.size();
  const std::size_t used = std::min(all, static_cast<std::size_t>(request.draw_count));
  for (std::size_t i = 0; i < used; ++i) result.draws.push_back(std::move(posterior.draws[i * all / used]));
  result.source = request.draws.empty() ? "normal approximation made by fit" : "posterior sample";
  return result;
}

inference::NodeBeliefs beliefs_of(const PlotRequest& request, const Study& study, const Model& model,
                                  const HistoryTree& tree) {
  inference::NodeBeliefs beliefs = inference::node_beliefs(tree, model.structure, model.agent.dynamics);
  if (beliefs.impossible) {
    throw impossible_outcome(study, request.data, tree, *beliefs.impossible, "the model",
                             "correct the table, or use a model that allows it");
  }
  return beliefs;
}

report::Drawing draw_records(const PlotRequest& request, const Study& study, const Model& model,
                             const report::FigureDraws& draws, Sink& sink) {
  std::vector<report::ShownRecord> records;
  const auto covariates = covariates_of(model.agent, study, request.data, sink);
  if (!request.patients.empty()) records = named_records(request, study, covariates);
  const HistoryTree tree = data::read_tree_in_context(study, request.data, covariates, RecordClasses::kApart);
  const inference::NodeBeliefs beliefs = beliefs_of(request, study, model, tree);
  if (request.patients.empty())
    records = archetype_records(request, study, model, tree, covariates, draws, sink);
  const report::RecordsFigureInput input{model, records, draws, report::typical_belief(tree, beliefs)};
  if (request.kind == "beliefs") return beliefs_figure(input);
  return trajectory_figure(input, "How did the belief move from visit to visit?");
}

// Numbers stand out as in `bias`. With data, the model is checked first.
report::Drawing draw_bias(const PlotRequest& request, const FitResult& fit, const report::FigureDraws& draws,
                          Sink& sink) {
  const Model& model = fit.model;
  if (!model.world) {
    throw input_error(fmt::format(
        "{}: the model has no world beside its agent, so there is nothing to compare; fit it with "
        "option dynamics coupled",
        request.model));
  }
  if (draws.draws.empty() || !draws.draws.front().world) {
    throw input_error(
        fmt::format("{}: there are no posterior draws of agent and world; fit the model again, "
                    "or sample with option dynamics coupled and give option draws",
                    request.draws.empty() ? request.model : request.draws));
  }
  BiasOptions options;
  options.level = request.level;
  options.margin = request.margin;
  options.validate();
  ModelChecks checks;
  if (!request.data.tables.empty()) {
    const Study study = study_of_model(request.study, request.model, model.structure);
    const CheckedRecords records =
        read_checked_records(study, request.data, model, RecordClasses::kApart, sink);
    ModelCheckOptions check_options = checks_for_verdict(fit);
    check_options.covariates = records.covariates;
    checks = check_on_files(fit, records.tree, check_options, request.data);
  }
  return bias_figure(model.structure,
                     compare_agent_and_world(fit, draws.draws, nullptr, options,
                                             request.data.tables.empty() ? nullptr : &checks),
                     draws, request.margin);
}

report::Drawing draw(const PlotRequest& request, const FitResult& fit, Sink& sink) {
  const Model& model = fit.model;
  const report::FigureDraws draws = figure_draws(request, fit);
  if (request.kind == "densities") {
    if (!model.structure.measured()) {
      throw input_error(
          fmt::format("{}: results are listed, not measured; a densities figure shows measured factors (the "
                      "policy figure "
                      "and the report show this model)",
                      request.model));
    }
    return report::densities_figure(model);
  }
  if (request.kind == "bias") return draw_bias(request, fit, draws, sink);
  if (request.kind == "tree") {
    require_listed_outcomes(model.structure, "plot tree");
    explain::GuidelineOptions options;
    options.level = request.level;
    return tree_figure(model.structure,
                       explain::guideline_of(model.structure, model.agent, draws.draws, options), draws);
  }
  if (model.structure.state_count() < 2) {
    throw input_error(fmt::format(
        "{}: the model has one state, so there is no belief to draw; a {} figure needs at least two",
        request.model, request.kind));
  }
  const Study study = study_of_model(request.study, request.model, model.structure);
  if (request.kind == "shares") {
    const SharesRequest asked{request.model, request.data, request.seed, request.threads};
    return report::shares_figure(shares_on_files(asked, fit, study, sink));
  }
  if (shows_records(request.kind)) return draw_records(request, study, model, draws, sink);
  const HistoryTree tree = data::read_tree(study, request.data);
  const inference::NodeBeliefs beliefs = beliefs_of(request, study, model, tree);
  return report::policy_figure({model, tree, beliefs, draws, request.min_cell});
}

// "U+65E5 U+672C", each once, eight at most.
std::string letters_shown(std::u32string letters) {
  std::sort(letters.begin(), letters.end());
  letters.erase(std::unique(letters.begin(), letters.end()), letters.end());
  std::string text;
  for (const char32_t letter : letters.substr(0, 8)) {
    text += fmt::format("{}U+{:04X}", text.empty() ? "" : " ", static_cast<unsigned>(letter));
  }
  return text;
}

}  // namespace

const std::vector<std::string>& figure_kinds() {
  static const std::vector<std::string> kinds = {"policy", "trajectory", "figure4", "beliefs",
                                                 "tree",   "bias",       "shares",  "densities"};
  return kinds;
}

void PlotRequest::validate() const {
  const auto& kinds = figure_kinds();
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    throw usage_error(fmt::format("there is no figure {}{}", base::shown(kind),
                                  base::suggestion(kind, kinds, "the figures are")));
  }
  if (output != "-" && !ends_in(output, ".svg") && !ends_in(output, ".pdf")) {
    throw usage_error(fmt::format("option output: {} ends neither in .svg nor in .pdf", base::shown(output)));
  }
  if (needs_data(kind) && data.tables.empty())
    throw usage_error(fmt::format("option data is needed for a {} figure", kind));
  if (!patients.empty() && !shows_records(kind)) {
    throw usage_error(fmt::format(
        "option patient: a {} figure shows no patients; trajectory, figure4 and beliefs do", kind));
  }
  if (patients.size() > kMostPatients) {
    throw usage_error(fmt::format("option patient: {} patients do not fit into one figure; name at most {}",
                                  patients.size(), kMostPatients));
  }
  if (!(level > 0.0 && level < 1.0))
    throw usage_error(fmt::format("option level: {} is not between 0 and 1", level));
  if (draw_count < 20 || draw_count > 100000)
    throw usage_error(fmt::format("option draw-count: {} is not between 20 and 100000", draw_count));
  if (min_cell < 1) throw usage_error(fmt::format("option min-cell: {} is not at least 1", min_cell));
}

void run_plot(const PlotRequest& request, Sink& sink) {
  request.validate();
  require_separate_files({{"option output", request.output}}, with_data({{"option model", request.model},
                                                                         {"option study", request.study},
                                                                         {"option draws", request.draws}},
                                                                        request.data));
  const auto permissions = shows_records(request.kind) ? base::NewFile::kPrivate : base::NewFile::kShared;
  const FitResult fit = read_fit(request.model);
  report::Drawing drawing = draw(request, fit, sink);
  drawing.set_origin(fmt::format("interpole {}; figure {}; model sha256 {}; level {}; draws {}; seed {}",
                                 version(), request.kind, fit.provenance.sha256, request.level,
                                 request.draw_count, request.seed));
  if (!ends_in(request.output, ".pdf")) {
    base::write_file_atomically(request.output, report::to_svg(drawing), permissions);
    return;
  }
  const report::PdfFile pdf = report::to_pdf(drawing);
  if (!pdf.lacking.empty()) {
    sink.warn(
        fmt::format("the PDF's font lacks letters that names have ({}); they are shown as \"?\": "
                    "write an .svg file to see them",
                    letters_shown(pdf.lacking)));
  }
  base::write_file_atomically(request.output, pdf.bytes, permissions);
}

}  // namespace interpole::service
