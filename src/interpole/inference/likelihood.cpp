#include "interpole/inference/likelihood.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

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

// Those that the terms follow and the tree has, ascending.
std::vector<int> covariates_of(const HistoryTree& tree, const PolicyTerms& terms) {
  std::vector<int> result;
  for (const PolicyTerm& term : terms.additive) {
    if (term.covariate >= 0 && term.covariate < tree.classes.covariate_count)
      result.push_back(term.covariate);
  }
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<int> all_covariates(const HistoryTree& tree) {
  std::vector<int> result(tree.classes.covariate_count);
  std::iota(result.begin(), result.end(), 0);
  return result;
}

bool fits_vector_kernel(const Structure& structure) {
  return structure.state_count() <= kMostVectorStates && structure.action_count() <= kMostVectorActions;
}

}  // namespace

// Made when they are first needed: most data sets never need any. For each set of covariates that a policy
// follows, decisions are counted apart by these; of several kinds of decision-makers by all that are known.
class Likelihood::Contexts {
 public:
  struct Cells {
    DecisionCells cells;
    CellLayout layout;
  };
  const Cells& of(const HistoryTree& tree, const Structure& structure, const TreeLayout* layout,
                  const std::vector<int>& covariates) {
    const std::lock_guard lock(mutex_);
    auto& made = cells_[covariates];
    if (made == nullptr) {
      made = std::make_unique<Cells>();
      made->cells = decision_cells(tree, covariates);
      if (layout != nullptr) made->layout = make_cell_layout(made->cells, *layout, structure);
    }
    return *made;
  }

  // `cells`: of all covariates.
  const KindPaths& paths(const HistoryTree& tree, const DecisionCells& cells) {
    std::call_once(paths_made_, [&] { paths_ = kind_paths(tree, cells); });
    return paths_;
  }

 private:
  std::mutex mutex_;
  std::map<std::vector<int>, std::unique_ptr<Cells>> cells_;
  std::once_flag paths_made_;
  KindPaths paths_;
};

Likelihood::Likelihood(const HistoryTree& tree, const Structure& structure, Kernel kernel, int threads)
    : tree_(&tree),
      structure_(structure),
      kernel_(fits_vector_kernel(structure) ? kernel : Kernel::kPlain),
      threads_(threads),
      matrices_(std::make_unique<StepMatrices>(tree, structure)),
      rows_(std::make_unique<MeasuredRows>()),
      contexts_(std::make_unique<Contexts>()) {
  if (kernel_ == Kernel::kVector) {
    layout_ = std::make_unique<TreeLayout>(make_tree_layout(tree, structure, *matrices_));
  } else if (structure.measured()) {
    *rows_ = MeasuredRows(structure, outcome_uses(tree));
  }
}

bool worth_sharing(const HistoryTree& tree) {
  return tree.node_count() >= kSmallestWorthSharing;
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
    const auto& made =
        contexts_->of(*tree_, structure_, layout_.get(),
                      has_kinds ? all_covariates(*tree_) : covariates_of(*tree_, policy_terms));
    const DecisionCells& cells = made.cells;
    context = {&cells, &made.layout};
    if (has_kinds) {
      makers = decision_makers(*tree_, parameters.policy.decision_maker);
      context.paths = &contexts_->paths(*tree_, cells);
      context.makers = makers;
      memory.shares = parameters.policy.kind_shares();
      memory.kinds.reset(parameters.policy.kind_count(), cells.size(), structure_.actions.size());
    }
    memory.levels.match(cells, structure_.action_count(), policy_terms);
    fill_tables(cells, memory.levels, structure_.action_count(), policy_terms, memory.tables);
    memory.d_tables.reset(cells.contexts.size(), structure_.actions.size());
  }
  LikelihoodValue value = kernel_ == Kernel::kVector
                              ? evaluate_vector(*tree_, *layout_, structure_, *matrices_, parameters, terms,
                                                context, gradient, threads_, memory)
                              : evaluate_plain(*tree_, structure_, *matrices_, *rows_, parameters, terms,
                                               context, gradient, memory);
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
