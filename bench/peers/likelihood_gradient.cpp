// The log-likelihood of a model file on a visits table and its derivative by every number of the model, as
// JSON, for comparison with other programs:
//
//   build/likelihood_gradient MODEL VISITS
//
// "point" and "gradient" list initial, transition, observation, η and means, one after the other
// (interpole/parameters.hpp).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <vector>

#include "interpole/data/records/visits.hpp"
#include "interpole/inference/likelihood.hpp"
#include "interpole/model_file.hpp"

namespace interpole {
namespace {

std::vector<double> flat(const Parameters& p) {
  std::vector<double> all = p.dynamics.initial;
  all.insert(all.end(), p.dynamics.transition.begin(), p.dynamics.transition.end());
  all.insert(all.end(), p.dynamics.observation.begin(), p.dynamics.observation.end());
  all.push_back(p.policy.inverse_temperature);
  all.insert(all.end(), p.policy.means.begin(), p.policy.means.end());
  return all;
}

std::string text(const std::vector<double>& numbers) {
  return fmt::format("[{:.17g}]", fmt::join(numbers, ", "));
}

void run(int argc, char** argv) {
  if (argc != 3) throw std::invalid_argument("usage: build/likelihood_gradient MODEL VISITS");
  const Model model = read_model(argv[1]);
  const HistoryTree tree = data::read_history_tree(argv[2], model.structure);
  const inference::Likelihood likelihood(tree, model.structure);
  auto workspace = likelihood.make_workspace();
  auto gradient = Parameters::filled(model.structure, 0.0);
  const auto value = likelihood.evaluate(model.agent, {}, &gradient, workspace);
  if (value.impossible_node) throw std::runtime_error("the model calls an outcome of the data impossible");
  fmt::print("{{\"actions\": {:.17g}, \"observations\": {:.17g},\n \"point\": {},\n \"gradient\": {}}}\n",
             value.actions, value.observations, text(flat(model.agent)), text(flat(gradient)));
}

}  // namespace
}  // namespace interpole

int main(int argc, char** argv) {
  try {
    interpole::run(argc, argv);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
