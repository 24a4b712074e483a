#include "interpole/service/evaluate/reproduce_figure.hpp"

#include <fmt/format.h>

#include "interpole/error.hpp"
#include "interpole/learners/registry/registry.hpp"
#include "interpole/report/figures/figure.hpp"
#include "interpole/version.hpp"

namespace interpole::service {
namespace {

constexpr int kSame = 2;  // the paper's example: two negative results in a row

struct Shown {
  const char* learner;
  const char* name;
};
constexpr Shown kShown[] = {
    {"po-mb-il", "PO-MB-IL"}, {"interpole-shared", "INTERPOLE, shared"}, {"interpole", "INTERPOLE, coupled"}};

}  // namespace

std::string figure_of_minds(const ReproducePlan& plan, Sink& sink) {
  const Structure& structure = plan.study.structure;
  report::AgentsFigureInput input{structure, {{"Truth", plan.truth->agent}}, 0, {}, {}};
  input.action = structure.find_action("monitor");
  input.outcomes.assign(kSame, structure.find_observation("negative"));
  input.source = fmt::format("{}, {} patients, seed {}", plan.table.title, plan.patients, plan.seed);
  try {
    const evaluate::TableDataset data = plan.dataset(0);
    for (const Shown& shown : kShown) {
      const auto fitted = learners::learner_named(shown.learner)
                              .fit(data.train[0], plan.study, {data.seed, plan.threads, {}}, sink);
      input.agents.push_back({shown.name, fitted->model()->agent});
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput && error.kind() != ErrorKind::kInterrupted) throw;
    sink.warn(fmt::format("no figure was drawn: {}", error.what()));
    return {};
  }
  report::Drawing drawing = report::agents_figure(input);
  // The command that draws it again, for whoever finds the file.
  drawing.set_origin(fmt::format("interpole {}: reproduce {} --patients {} --seed {}", version(),
                                 plan.table.name, plan.patients, plan.seed));
  return to_svg(drawing);
}

}  // namespace interpole::service
