#include "interpole/learn/draws/draws_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <set>
#include <string_view>

#include "interpole/base/messages.hpp"
#include "interpole/data/tables/csv_header.hpp"
#include "interpole/error.hpp"
#include "interpole/model/policy_terms.hpp"

namespace interpole::learn {
namespace {

const std::string kWorldPrefix = "world.";
const std::string kKindPrefix = "kind";
const std::string kCovariatePrefix = "covariate.";
const std::string kStartPrefix = "start.";
const char* const kInertiaColumn = "inertia";  // in every file of a policy with terms

// What else columns, or the variables and dimensions of ArviZ, are called.
bool is_taken(const std::string& name) {
  static const std::set<std::string> taken = {
      "chain",       "iteration",   "draw",       "log_posterior", "divergent", "initial_belief",
      "transition",  "observation", "means",      "scale",         "inertia",   "inverse_temperature",
      "lapse",       "habit",       "time",       "missing",       "action",    "observing_action",
      "last_action", "state",       "next_state", "outcome",       "step",      "coupled_row"};
  return taken.contains(name) || name.starts_with("world") || name.starts_with(kKindPrefix) ||
         name.starts_with(kStartPrefix) || name.starts_with(kCovariatePrefix);
}

// One walk through the dynamics serves names, writing and reading, so their order cannot drift. `visit` gets
// the name of the entry (made only if wanted) and a reference to it.
template <class SomeDynamics, class Visit>
void for_each_entry(const Structure& structure, SomeDynamics& dynamics, const Visit& visit) {
  const std::size_t S = structure.states.size();
  const auto Z = static_cast<std::size_t>(structure.observation_columns());
  for (std::size_t s = 0; s < S; ++s) {
    visit([&] { return fmt::format("initial_belief[{}]", structure.states[s]); }, dynamics.initial[s]);
  }
  for (std::size_t row = 0; row < structure.actions.size() * S; ++row) {
    for (std::size_t to = 0; to < S; ++to) {
      const auto name = [&] {
        return fmt::format("transition[{},{},{}]", structure.actions[row / S], structure.states[row % S],
                           structure.states[to]);
      };
      visit(name, dynamics.transition[row * S + to]);
    }
  }
  for (std::size_t row = 0; row < structure.actions.size() * S; ++row) {
    if (structure.is_terminal(static_cast<int>(row / S))) continue;
    for (std::size_t z = 0; z < Z; ++z) {
      const auto name = [&] {
        return fmt::format("observation[{},{},{}]", structure.actions[row / S], structure.states[row % S],
                           structure.column_name(static_cast<int>(z)));
      };
      visit(name, dynamics.observation[row * Z + z]);
    }
  }
}

template <class SomePolicy, class Visit>
void for_each_entry_of_policy(const Structure& structure, SomePolicy& policy, const Visit& visit) {
  visit([] { return std::string("inverse_temperature"); }, policy.inverse_temperature);
  const std::size_t S = structure.states.size();
  for (std::size_t i = 0; i < policy.means.size(); ++i) {
    visit([&] { return fmt::format("means[{},{}]", structure.actions[i / S], structure.states[i % S]); },
          policy.means[i]);
  }
}

template <class SomeTerms, class Visit>
void for_each_entry_of_terms(const Structure& structure, SomeTerms& terms, const Visit& visit) {
  visit([] { return std::string(kInertiaColumn); }, terms.inertia);
  visit([] { return std::string("lapse"); }, terms.lapse);
  const std::size_t A = structure.actions.size();
  for (auto& term : terms.additive) {
    for (const int level : model::used_levels(structure, term)) {
      for (std::size_t a = 0; a < A; ++a) {
        const auto name = [&] {
          const std::string label = term_level(structure, terms, term, level);
          return fmt::format("{}[{}{}{}]", term_variable(terms, term), label, label.empty() ? "" : ",",
                             structure.actions[a]);
        };
        visit(name, term.weights[level * A + a]);
      }
    }
  }
}

template <class SomePolicy, class Visit>
void for_each_entry_of_kinds(const Structure& structure, SomePolicy& policy, const Visit& visit) {
  int number = 1;
  for (auto& kind : policy.other_kinds) {
    const std::string prefix = fmt::format("{}{}.", kKindPrefix, ++number);
    const auto of_kind = [&](const auto& name, auto& value) {
      visit([&] { return prefix + name(); }, value);
    };
    of_kind([] { return std::string("share"); }, kind.share);
    for_each_entry_of_policy(structure, kind, of_kind);
  }
}

// Common to agent and world.
template <class SomeStart, class Visit>
void for_each_entry_of_start(const Structure& structure, SomeStart& start, const Visit& visit) {
  const std::size_t S = structure.states.size();
  for (auto& term : start) {
    for (std::size_t i = 0; i < term.weights.size(); ++i) {
      const auto name = [&] {
        const std::string level = term.of.categories.empty() ? "" : term.of.categories[i / S] + ",";
        return fmt::format("{}{}[{}{}]", kStartPrefix, term.of.name, level, structure.states[i % S]);
      };
      visit(name, term.weights[i]);
    }
  }
}

template <class SomeExplanation, class Visit>
void for_each_number(const Structure& structure, SomeExplanation& agent_world, bool with_terms,
                     const Visit& visit) {
  for_each_entry(structure, agent_world.agent.dynamics, visit);
  for_each_entry_of_policy(structure, agent_world.agent.policy, visit);
  if (with_terms) for_each_entry_of_terms(structure, agent_world.agent.policy.terms, visit);
  for_each_entry_of_kinds(structure, agent_world.agent.policy, visit);
  for_each_entry_of_start(structure, agent_world.agent.dynamics.start, visit);
  if (!agent_world.world) return;
  const auto of_world = [&](const auto& name, auto& value) {
    visit([&] { return kWorldPrefix + name(); }, value);
  };
  for_each_entry(structure, *agent_world.world, of_world);
}

// How many of what, and which actions yield nothing: their rows are all zero, which no others can be.
Structure nameless_structure(const Parameters& agent) {
  const std::size_t S = agent.dynamics.initial.size();
  const std::size_t A = agent.policy.means.size() / S;
  const std::size_t Z = agent.dynamics.observation.size() / (A * S);
  Structure structure;
  structure.states.resize(S);
  structure.actions.resize(A);
  structure.observations.resize(Z);
  structure.terminal.resize(A);
  for (std::size_t a = 0; a < A; ++a) {
    const auto row = agent.dynamics.observation.begin() + static_cast<std::ptrdiff_t>(a * S * Z);
    structure.terminal[a] =
        std::all_of(row, row + static_cast<std::ptrdiff_t>(Z), [](double p) { return p == 0.0; });
  }
  return structure;
}

AgentWorld empty_explanation(const Structure& structure, const Policy& policy,
                             const std::vector<StartTerm>& start, bool with_world) {
  AgentWorld result{Parameters::filled(structure, 0.0), {}};
  result.agent.policy = policy;
  result.agent.dynamics.start = start;
  if (with_world) result.world = Dynamics::filled(structure, 0.0);
  return result;
}

class Reader {
 public:
  Reader(const std::string& path, const Structure& structure, const Policy& policy,
         const std::vector<StartTerm>& start)
      : path_(path), structure_(structure), policy_(policy), start_(start) {
    file_.open(path, std::ios::binary);
    if (!file_) throw input_error(fmt::format("{}: cannot be read; is it there?", path));
    read_header();
  }

  std::vector<AgentWorld> read() {
    std::vector<AgentWorld> draws;
    while (next_line()) draws.push_back(read_row());
    if (draws.empty()) {
      throw input_error(fmt::format("{}: there are columns but no draws; run sample again", path_));
    }
    return draws;
  }

 private:
  bool next_line() {
    if (!std::getline(file_, line_)) {
      if (file_.bad()) throw input_error(fmt::format("{}: cannot be read to its end", path_));
      return false;
    }
    ++row_;
    if (line_.ends_with('\r')) line_.pop_back();
    return true;
  }

  void read_header() {
    if (!next_line()) throw input_error(fmt::format("{}: the file is empty; run sample again", path_));
    const auto header = data::parse_csv_header(line_, ',', path_).columns;
    width_ = header.size();
    with_world_ = std::any_of(header.begin(), header.end(),
                              [](const std::string& name) { return name.starts_with(kWorldPrefix); });
    names_ = agent_world_columns(structure_, policy_, with_world_, start_);
    for (const std::string& name : names_) {
      const auto found = std::find(header.begin(), header.end(), name);
      if (found == header.end()) {
        throw input_error(fmt::format(
            "{}: there is no column {}{}", path_, base::shown(name),
            base::suggestion(name, header, "the draws are perhaps of another study; the columns are")));
      }
      places_.push_back(found - header.begin());
    }
    refuse_other_terms(header);
  }

  // Without them the other numbers would mean something else.
  void refuse_other_terms(const std::vector<std::string>& header) const {
    for (const std::string& name : header) {
      const bool of_terms = name == kInertiaColumn || name.starts_with("habit[") ||
                            name.starts_with("time[") || name.starts_with("missing[") ||
                            name.starts_with(kStartPrefix) || name == kKindPrefix + "2.share" ||
                            name == kKindPrefix + "3.share";
      if (!of_terms || std::find(names_.begin(), names_.end(), name) != names_.end()) continue;
      throw input_error(
          fmt::format("{}: column {}: the model has no such policy term; give draws of this model, or fit it "
                      "again with the terms of the draws",
                      path_, base::shown(name)));
    }
  }

  AgentWorld read_row() {
    split_line();
    AgentWorld draw = empty_explanation(structure_, policy_, start_, with_world_);
    std::size_t i = 0;
    for_each_number(structure_, draw, !policy_.terms.none(), [&](const auto&, double& value) {
      value = number(cells_[places_[i]], names_[i]);
      ++i;
    });
    if (draw.world) draw.world->start = draw.agent.dynamics.start;
    Model both{structure_, std::move(draw.agent), std::move(draw.world)};
    validate_and_normalise(both, fmt::format("{}: row {}", path_, row_));
    return {std::move(both.agent), std::move(both.world)};
  }

  void split_line() {
    cells_.clear();
    std::string_view rest = line_;
    while (true) {
      const std::size_t end = rest.find(',');
      cells_.push_back(rest.substr(0, end));
      if (end == std::string_view::npos) break;
      rest.remove_prefix(end + 1);
    }
    if (cells_.size() == width_) return;
    throw input_error(fmt::format("{}: row {}: {} cells where {} columns are named; run sample again", path_,
                                  row_, cells_.size(), width_));
  }

  double number(std::string_view cell, const std::string& column) const {
    double value = 0.0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc{} || end != cell.data() + cell.size() || !std::isfinite(value)) {
      throw input_error(fmt::format("{}: row {}: column {}: {} is not a finite number; run sample again",
                                    path_, row_, base::shown(column), base::shown(cell)));
    }
    return value;
  }

  const std::string& path_;
  const Structure& structure_;
  const Policy& policy_;
  const std::vector<StartTerm>& start_;
  std::ifstream file_;
  std::string line_;
  int row_ = 0;  // the header is row 1
  std::size_t width_ = 0;
  bool with_world_ = false;
  std::vector<std::string> names_;
  std::vector<std::ptrdiff_t> places_;  // of the names, in a row
  std::vector<std::string_view> cells_;
};

}  // namespace

std::string term_variable(const PolicyTerms& terms, const PolicyTerm& term) {
  std::string name = model::term_name(terms, term);
  return model::follows_covariate(term.kind) && is_taken(name) ? kCovariatePrefix + name : name;
}

std::string term_level(const Structure& structure, const PolicyTerms& terms, const PolicyTerm& term,
                       int level) {
  if (term.kind == TermKind::kHabit) return structure.actions[level];
  if (term.kind == TermKind::kTime) return std::to_string(level + 1);
  return model::levels_exclude(terms, term) ? terms.covariates[term.covariate].categories[level]
                                            : std::string();
}

std::vector<std::string> agent_world_columns(const Structure& structure, const Policy& policy,
                                             bool with_world, const std::vector<StartTerm>& start) {
  std::vector<std::string> names;
  const AgentWorld any = empty_explanation(structure, policy, start, with_world);
  for_each_number(structure, any, !policy.terms.none(),
                  [&](const auto& name, double) { names.push_back(name()); });
  return names;
}

std::vector<double> agent_world_values(const AgentWorld& agent_world, bool with_terms) {
  std::vector<double> values;
  for_each_number(nameless_structure(agent_world.agent), agent_world, with_terms,
                  [&](const auto&, double value) { values.push_back(value); });
  return values;
}

std::vector<AgentWorld> read_draws(const std::string& path, const Structure& structure, const Policy& policy,
                                   const std::vector<StartTerm>& start) {
  return Reader(path, structure, policy, start).read();
}

}  // namespace interpole::learn
