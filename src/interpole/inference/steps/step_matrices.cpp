#include "interpole/inference/steps/step_matrices.hpp"

#include <fmt/format.h>

#include <map>
#include <span>
#include <utility>

#include "interpole/error.hpp"

namespace interpole::inference {

std::size_t matrix_index(const Structure& structure, int action, int observation) {
  const int outcomes = structure.observation_count();
  const std::size_t slot = static_cast<std::size_t>(action) * (outcomes + 1) +
                           (observation == kMissing || structure.measured() ? outcomes : observation);
  return slot * structure.states.size() * structure.states.size();
}

void update_matrices(const Structure& structure, const Dynamics& dynamics, std::vector<double>& matrices) {
  const std::size_t S = structure.states.size();
  const std::size_t Z = structure.observations.size();
  matrices.resize(static_cast<std::size_t>(structure.action_count()) * (Z + 1) * S * S);
  double* m = matrices.data();
  for (int a = 0; a < structure.action_count(); ++a) {
    const double* T = &dynamics.transition[static_cast<std::size_t>(a) * S * S];
    const double* O = &dynamics.observation[static_cast<std::size_t>(a) * S * Z];
    for (std::size_t z = 0; z <= Z; ++z) {
      for (std::size_t to = 0; to < S; ++to) {
        const double o = z == Z ? 1.0 : O[to * Z + z];
        for (std::size_t from = 0; from < S; ++from) *m++ = o * T[from * S + to];
      }
    }
  }
}

void pull_back_matrices(const Structure& structure, const Dynamics& dynamics,
                        const std::vector<double>& d_matrices, Dynamics& gradient) {
  const std::size_t S = structure.states.size();
  const std::size_t Z = structure.observations.size();
  const double* d = d_matrices.data();
  for (int a = 0; a < structure.action_count(); ++a) {
    const std::size_t t_base = static_cast<std::size_t>(a) * S * S;
    const std::size_t o_base = static_cast<std::size_t>(a) * S * Z;
    for (std::size_t z = 0; z <= Z; ++z) {
      for (std::size_t to = 0; to < S; ++to) {
        const double o = z == Z ? 1.0 : dynamics.observation[o_base + to * Z + z];
        double d_o = 0.0;
        for (std::size_t from = 0; from < S; ++from, ++d) {
          gradient.transition[t_base + from * S + to] += *d * o;
          d_o += *d * dynamics.transition[t_base + from * S + to];
        }
        if (z < Z) gradient.observation[o_base + to * Z + z] += d_o;
      }
    }
  }
}

void require_no_times(const Structure& structure, const char* what) {
  if (structure.timed())
    throw runtime_error(fmt::format("{}: visits have times, which this does not know yet", what));
}

StepMatrices::StepMatrices(const HistoryTree& tree, const Structure& structure) : structure_(structure) {
  if (structure.timed()) {
    find_kinds(tree);
    return;
  }
  for (const HistoryTree::Group& group : tree.groups)
    of_group_.push_back(matrix_index(structure, group.action, group.observation));
}

void StepMatrices::find_kinds(const HistoryTree& tree) {
  const std::size_t size = structure_.states.size() * structure_.states.size();
  std::map<std::pair<int, int>, std::size_t> pair_of;          // by action and gap
  std::map<std::pair<std::size_t, int>, std::size_t> kind_of;  // by pair and outcome
  for (const HistoryTree::Group& group : tree.groups) {
    const auto [pair, new_pair] = pair_of.try_emplace({group.action, group.gap}, pairs_.size());
    if (new_pair) {
      const double gap = group.gap == kNoGap ? 0.0 : structure_.gaps.table->at(group.gap);
      pairs_.push_back({group.action, gap});
    }
    const int observation = structure_.measured() ? kMissing : group.observation;
    const auto [kind, new_kind] = kind_of.try_emplace({pair->second, observation}, kinds_.size());
    if (new_kind) kinds_.push_back({pair->second, observation});
    of_group_.push_back(kind->second * size);
  }
}

void StepMatrices::fill(const Dynamics& dynamics, Memory& memory) const {
  if (!structure_.timed()) return update_matrices(structure_, dynamics, memory.matrices);
  const std::size_t S = structure_.states.size();
  const std::size_t Z = structure_.observations.size();
  if (memory.transition == nullptr) memory.transition = std::make_unique<model::GapTransition>(structure_);
  memory.transitions.resize(pairs_.size() * S * S);
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    memory.transition->evaluate(dynamics, pairs_[i].action, pairs_[i].gap,
                                {&memory.transitions[i * S * S], S * S});
  }
  memory.matrices.resize(kinds_.size() * S * S);
  double* m = memory.matrices.data();
  for (const Kind& kind : kinds_) {
    const double* T = &memory.transitions[kind.pair * S * S];
    const std::size_t row = static_cast<std::size_t>(pairs_[kind.pair].action) * S;
    for (std::size_t to = 0; to < S; ++to) {
      const double o =
          kind.observation == kMissing ? 1.0 : dynamics.observation[(row + to) * Z + kind.observation];
      for (std::size_t from = 0; from < S; ++from) *m++ = o * T[from * S + to];
    }
  }
}

void StepMatrices::pull_back(const Dynamics& dynamics, Memory& memory, Dynamics& gradient) const {
  if (!structure_.timed()) return pull_back_matrices(structure_, dynamics, memory.d_matrices, gradient);
  const std::size_t S = structure_.states.size();
  const std::size_t Z = structure_.observations.size();
  memory.d_transitions.assign(memory.transitions.size(), 0.0);
  const double* d = memory.d_matrices.data();
  for (const Kind& kind : kinds_) {
    const double* T = &memory.transitions[kind.pair * S * S];
    double* d_T = &memory.d_transitions[kind.pair * S * S];
    const std::size_t row = static_cast<std::size_t>(pairs_[kind.pair].action) * S;
    for (std::size_t to = 0; to < S; ++to) {
      const bool seen = kind.observation != kMissing;
      const std::size_t outcome = (row + to) * Z + (seen ? kind.observation : 0);
      const double o = seen ? dynamics.observation[outcome] : 1.0;
      double d_o = 0.0;
      for (std::size_t from = 0; from < S; ++from, ++d) {
        d_T[from * S + to] += *d * o;
        d_o += *d * T[from * S + to];
      }
      if (seen) gradient.observation[outcome] += d_o;
    }
  }
  std::vector<double>& again = memory.transitions;  // the way back needs what evaluate() leaves behind
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    memory.transition->evaluate(dynamics, pairs_[i].action, pairs_[i].gap, {&again[i * S * S], S * S});
    memory.transition->pull_back(dynamics, {&memory.d_transitions[i * S * S], S * S}, gradient);
  }
}

}  // namespace interpole::inference
