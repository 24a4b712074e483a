#include "interpole/inference/likelihood.hpp"

#include <algorithm>
#include <mutex>

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

// The starting terms that `like` has, all numbers zero.
void set_zero_start(const Dynamics& like, Dynamics& gradient) {
  gradient.start.resize(like.start.size());
  for (std::size_t i = 0; i < like.start.size(); ++i) {
    gradient.start[i].weights.assign(like.start[i].weights.size(), 0.0);
  }
}

// The kinds of decision-makers that `like` has, all numbers zero.
void set_zero_kinds(const Policy& like, Policy& gradient) {
  gradient.other_kinds.resize(like.other_kinds.size());
  for (std::size_t k = 0; k < like.other_kinds.size(); ++k) {
    gradient.other_kinds[k].share = gradient.other_kinds[k].inverse_temperature = 0.0;
    gradient.other_kinds[k].means.assign(like.other_kinds[k].means.size(), 0.0);
  }
}

// The terms that `like` has, all numbers zero.
void set_zero_terms(const PolicyTerms& like, PolicyTerms& gradient) {
  if (gradient.additive.size() != like.additive.size()) gradient = like;
  gradient.inertia = gradient.lapse = 0.0;
  for (std::size_t i = 0; i < like.additive.size(); ++i) {
    gradient.additive[i].weights.assign(like.additive[i].weights.size(), 0.0);
  }
}

bool fits_vector_kernel(const Structure& structure) {
  return structure.state_count() <= kMostVectorStates && structure.action_count() <= kMostVectorActions;
}

}  // namespace

// Made at the first evaluation with terms: most data sets never need it.
struct Likelihood::Contexts {
  std::once_flag made;
  DecisionCells cells;
  CellLayout layout;
  std::once_flag paths_made;
  KindPaths paths;
};

Likelihood::Likelihood(const HistoryTree& tree, const Structure& structure, Kernel kernel, int threads)
    : tree_(&tree),
      structure_(structure),
      kernel_(fits_vector_kernel(structure) ? kernel : Kernel::kPlain),
      threads_(threads),
      contexts_(std::make_unique<Contexts>()) {
  if (kernel_ == Kernel::kVector) layout_ = std::make_unique<TreeLayout>(make_tree_layout(tree, structure));
}

Likelihood::~Likelihood() = default;
Likelihood::Likelihood(Likelihood&&) noexcept = default;

LikelihoodWorkspace Likelihood::make_workspace() const {
  return LikelihoodWorkspace(std::make_unique<LikelihoodWorkspace::Memory>());
}

LikelihoodValue Likelihood::evaluate(const Parameters& parameters, LikelihoodTerms terms,
                                     Parameters* gradient, LikelihoodWorkspace& workspace) const {
  LikelihoodWorkspace::Memory& memory = workspace.memory();
  const PolicyTerms& policy_terms = parameters.policy.terms;
  ContextJob context;
  if (gradient != nullptr) set_zero(*gradient);
  if (gradient != nullptr) set_zero_start(parameters.dynamics, gradient->dynamics);
  if (gradient != nullptr) set_zero_terms(policy_terms, gradient->policy.terms);
  if (gradient != nullptr) set_zero_kinds(parameters.policy, gradient->policy);
  const bool has_kinds = !parameters.policy.other_kinds.empty();
  std::vector<std::int32_t> makers;
  if (terms.actions && (has_kinds || !policy_terms.none())) {
    std::call_once(contexts_->made, [&] {
      contexts_->cells = decision_cells(*tree_);
      if (kernel_ == Kernel::kVector)
        contexts_->layout = make_cell_layout(contexts_->cells, *layout_, structure_);
    });
    context = {&contexts_->cells, &contexts_->layout};
    if (has_kinds) {
      std::call_once(contexts_->paths_made, [&] { contexts_->paths = kind_paths(*tree_, contexts_->cells); });
      makers = decision_makers(*tree_, parameters.policy.decision_maker);
      context.paths = &contexts_->paths;
      context.makers = makers;
      memory.shares = parameters.policy.kind_shares();
      memory.kinds.reset(parameters.policy.kind_count(), contexts_->cells.size(), structure_.actions.size());
    }
    memory.levels.match(contexts_->cells, structure_.action_count(), policy_terms);
    fill_tables(contexts_->cells, memory.levels, structure_.action_count(), policy_terms, memory.tables);
    memory.d_tables.reset(contexts_->cells.contexts.size(), structure_.actions.size());
  }
  const LikelihoodValue value =
      kernel_ == Kernel::kVector
          ? evaluate_vector(*tree_, *layout_, structure_, parameters, terms, context, gradient, threads_,
                            memory)
          : evaluate_plain(*tree_, structure_, parameters, terms, context, gradient, memory);
  if (gradient == nullptr) return value;
  if (value.impossible_node) {
    set_zero(*gradient);
    set_zero_start(parameters.dynamics, gradient->dynamics);
    set_zero_kinds(parameters.policy, gradient->policy);
  } else if (context.any()) {
    pull_back_tables(*context.cells, memory.levels, structure_.action_count(), memory.d_tables,
                     gradient->policy.terms);
  }
  return value;
}

LikelihoodWorkspace::LikelihoodWorkspace(std::unique_ptr<Memory> memory) : memory_(std::move(memory)) {}
LikelihoodWorkspace::~LikelihoodWorkspace() = default;
LikelihoodWorkspace::LikelihoodWorkspace(LikelihoodWorkspace&&) noexcept = default;

}  // namespace interpole::inference
