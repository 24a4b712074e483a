#include "interpole/inference/likelihood.hpp"

#include <algorithm>

#include "interpole/inference/kernels.hpp"

namespace interpole::inference {
namespace {

void set_zero(Parameters& gradient) {
  for (auto* array : {&gradient.dynamics.initial, &gradient.dynamics.transition,
                      &gradient.dynamics.observation, &gradient.policy.means}) {
    std::fill(array->begin(), array->end(), 0.0);
  }
  gradient.policy.inverse_temperature = 0.0;
}

bool fits_vector_kernel(const Structure& structure) {
  return structure.state_count() <= kMostVectorStates && structure.action_count() <= kMostVectorActions;
}

}  // namespace

Likelihood::Likelihood(const HistoryTree& tree, const Structure& structure, Kernel kernel, int threads)
    : tree_(&tree),
      structure_(structure),
      kernel_(fits_vector_kernel(structure) ? kernel : Kernel::kPlain),
      threads_(threads) {
  if (kernel_ == Kernel::kVector) plan_ = std::make_unique<TreeLayout>(make_tree_layout(tree, structure));
}

Likelihood::~Likelihood() = default;
Likelihood::Likelihood(Likelihood&&) noexcept = default;

LikelihoodWorkspace Likelihood::make_workspace() const {
  return LikelihoodWorkspace(std::make_unique<LikelihoodWorkspace::Memory>());
}

LikelihoodValue Likelihood::evaluate(const Parameters& parameters, LikelihoodTerms terms,
                                     Parameters* gradient, LikelihoodWorkspace& workspace) const {
  if (gradient != nullptr) set_zero(*gradient);
  const LikelihoodValue value =
      kernel_ == Kernel::kVector
          ? evaluate_vector(*plan_, structure_, parameters, terms, gradient, threads_, workspace.memory())
          : evaluate_plain(*tree_, structure_, parameters, terms, gradient, workspace.memory());
  if (value.impossible_node && gradient != nullptr) set_zero(*gradient);
  return value;
}

LikelihoodWorkspace::LikelihoodWorkspace(std::unique_ptr<Memory> memory) : memory_(std::move(memory)) {}
LikelihoodWorkspace::~LikelihoodWorkspace() = default;
LikelihoodWorkspace::LikelihoodWorkspace(LikelihoodWorkspace&&) noexcept = default;

}  // namespace interpole::inference
