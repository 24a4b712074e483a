#include "interpole/learn/draws/arviz_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/learn/draws/draws_file.hpp"
#include "interpole/model/policy_terms.hpp"
#include "interpole/version.hpp"

namespace interpole::learn {
namespace {

using Json = nlohmann::ordered_json;
using Values = std::function<std::vector<double>(const SampledDraw&)>;

// A dimension may not be called like a variable, and no variable may have one twice: hence outcome and
// next_state.
struct Variable {
  std::string name;
  std::vector<std::string> dimensions;  // after chain and draw
  Values values;                        // of a draw, flat
};

class ArvizWriter {
 public:
  ArvizWriter(const std::string& path, const Structure& structure, const SampleSummary& summary)
      : structure_(structure), summary_(summary), file_(path) {
    for (int a = 0; a < structure.action_count(); ++a) {
      if (!structure.is_terminal(a)) observing_.push_back(a);
    }
    std::vector<std::string> observing;
    for (const int a : observing_) observing.push_back(structure.actions[a]);
    coordinates_ = {{"action", structure.actions},
                    {"observing_action", observing},
                    {"state", structure.states},
                    {"next_state", structure.states},
                    {"outcome", structure.observations}};
    std::vector<std::string> rows;
    for (const Field field : summary.scale_fields) rows.push_back(scale_name(field));
    if (!rows.empty()) coordinates_["coupled_row"] = rows;
    for (const PolicyTerm& term : terms().additive) {
      const std::string levels = levels_dimension(term);
      if (!levels.empty()) coordinates_[levels] = level_labels(term);
    }
    for (const StartTerm& term : starts()) {
      if (!term.of.categories.empty()) coordinates_[start_dimension(term)] = term.of.categories;
    }
  }

  void write() {
    const auto posterior = posterior_variables();
    file_.write("{\"posterior\": ");
    write_group(posterior);
    file_.write(",\n\"sample_stats\": ");
    write_group(sampler_variables());
    Json dimensions = Json::object();
    for (const Variable& variable : posterior) {
      if (!variable.dimensions.empty()) dimensions[variable.name] = variable.dimensions;
    }
    const Json attributes = {{"inference_library", "interpole"}, {"inference_library_version", version()}};
    file_.write(fmt::format(",\n\"coords\": {},\n\"dims\": {},\n\"attrs\": {}}}\n", coordinates_.dump(),
                            dimensions.dump(), attributes.dump()));
    file_.commit();
  }

 private:
  void add_dynamics(const std::string& prefix,
                    const std::function<const Dynamics&(const SampledDraw&)>& dynamics_of,
                    std::vector<Variable>& variables) const {
    variables.push_back({prefix + "initial_belief", {"state"}, [=](const SampledDraw& draw) {
                           return dynamics_of(draw).initial;
                         }});
    variables.push_back({prefix + "transition",
                         {"action", "state", "next_state"},
                         [=](const SampledDraw& draw) { return dynamics_of(draw).transition; }});
    if (observing_.empty()) return;
    variables.push_back({prefix + "observation",
                         {"observing_action", "state", "outcome"},
                         [this, dynamics_of](const SampledDraw& draw) {
                           return observing_rows(dynamics_of(draw).observation);
                         }});
  }

  std::vector<double> observing_rows(const std::vector<double>& observation) const {
    const std::size_t size =
        structure_.states.size() * static_cast<std::size_t>(structure_.observation_columns());
    std::vector<double> rows;
    for (const int a : observing_) {
      const auto begin = observation.begin() + static_cast<std::ptrdiff_t>(a * size);
      rows.insert(rows.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
    }
    return rows;
  }

  const PolicyTerms& terms() const { return summary_.fit.parameters.policy.terms; }

  // Empty for terms with one level.
  std::string levels_dimension(const PolicyTerm& term) const {
    if (term.kind == TermKind::kHabit) return "last_action";
    if (term.kind == TermKind::kTime) return "step";
    return model::levels_exclude(terms(), term) ? "level_of_" + term_variable(terms(), term) : std::string();
  }

  std::vector<std::string> level_labels(const PolicyTerm& term) const {
    std::vector<std::string> labels;
    for (const int level : model::used_levels(structure_, term)) {
      labels.push_back(term_level(structure_, terms(), term, level));
    }
    return labels;
  }

  void add_terms(std::vector<Variable>& variables) const {
    variables.push_back({"inertia", {}, [](const SampledDraw& draw) {
                           return std::vector<double>{draw.agent_world.agent.policy.terms.inertia};
                         }});
    variables.push_back({"lapse", {}, [](const SampledDraw& draw) {
                           return std::vector<double>{draw.agent_world.agent.policy.terms.lapse};
                         }});
    for (std::size_t i = 0; i < terms().additive.size(); ++i) {
      const PolicyTerm& term = terms().additive[i];
      std::vector<std::string> dimensions = {"action"};
      if (const std::string levels = levels_dimension(term); !levels.empty()) {
        dimensions.insert(dimensions.begin(), levels);
      }
      variables.push_back({term_variable(terms(), term), dimensions, [this, i](const SampledDraw& draw) {
                             return used_weights(draw.agent_world.agent.policy.terms.additive[i]);
                           }});
    }
  }

  const std::vector<StartTerm>& starts() const { return summary_.fit.parameters.dynamics.start; }

  void add_starts(std::vector<Variable>& variables) const {
    for (std::size_t i = 0; i < starts().size(); ++i) {
      std::vector<std::string> dimensions = {"state"};
      if (!starts()[i].of.categories.empty())
        dimensions.insert(dimensions.begin(), start_dimension(starts()[i]));
      variables.push_back({"start." + starts()[i].of.name, dimensions, [i](const SampledDraw& draw) {
                             return draw.agent_world.agent.dynamics.start[i].weights;
                           }});
    }
  }

  static std::string start_dimension(const StartTerm& term) { return "level_of_start." + term.of.name; }

  std::vector<double> used_weights(const PolicyTerm& term) const {
    const std::size_t actions = structure_.actions.size();
    std::vector<double> weights;
    for (const int level : model::used_levels(structure_, term)) {
      const auto row = term.weights.begin() + static_cast<std::ptrdiff_t>(level * actions);
      weights.insert(weights.end(), row, row + static_cast<std::ptrdiff_t>(actions));
    }
    return weights;
  }

  std::vector<Variable> posterior_variables() const {
    std::vector<Variable> variables;
    add_dynamics(
        "", [](const SampledDraw& draw) -> const Dynamics& { return draw.agent_world.agent.dynamics; },
        variables);
    variables.push_back({"inverse_temperature", {}, [](const SampledDraw& draw) {
                           return std::vector<double>{draw.agent_world.agent.policy.inverse_temperature};
                         }});
    variables.push_back({"means", {"action", "state"}, [](const SampledDraw& draw) {
                           return draw.agent_world.agent.policy.means;
                         }});
    if (!terms().none()) add_terms(variables);
    add_starts(variables);
    if (summary_.fit.world) {
      add_dynamics(
          "world_", [](const SampledDraw& draw) -> const Dynamics& { return *draw.agent_world.world; },
          variables);
    }
    if (!summary_.scale_fields.empty()) {
      variables.push_back({"scale", {"coupled_row"}, [this](const SampledDraw& draw) {
                             std::vector<double> scales;
                             for (const Field field : summary_.scale_fields)
                               scales.push_back(draw.scales.of(field));
                             return scales;
                           }});
    }
    return variables;
  }

  static std::vector<Variable> sampler_variables() {
    const auto one = [](const char* name, const std::function<double(const SampledDraw&)>& value) {
      return Variable{
          name, {}, [value](const SampledDraw& draw) { return std::vector<double>{value(draw)}; }};
    };
    return {one("lp", [](const SampledDraw& draw) { return draw.log_posterior; }),
            one("energy", [](const SampledDraw& draw) { return draw.energy; }),
            one("acceptance_rate", [](const SampledDraw& draw) { return draw.accept_stat; }),
            one("step_size", [](const SampledDraw& draw) { return draw.step_size; }),
            one("tree_depth", [](const SampledDraw& draw) { return draw.tree_depth; }),
            one("n_steps", [](const SampledDraw& draw) { return draw.leapfrogs; }),
            one("diverging", [](const SampledDraw& draw) { return draw.divergent ? 1.0 : 0.0; })};
  }

  void write_group(const std::vector<Variable>& variables) {
    std::string separator = "{\n";
    for (const Variable& variable : variables) {
      file_.write(fmt::format("{}{}: [", separator, Json(variable.name).dump()));
      separator = ",\n";
      write_chains(variable);
      file_.write("]");
    }
    file_.write("}");
  }

  void write_chains(const Variable& variable) {
    std::vector<std::size_t> shape;
    for (const auto& dimension : variable.dimensions) shape.push_back(coordinates_[dimension].size());
    const bool yes_or_no = variable.name == "diverging";
    const std::size_t draws = shortest_chain();
    std::string chain_separator;
    for (const SampledChain& chain : summary_.chains) {
      if (chain.draws.empty()) continue;
      std::string text = chain_separator + "[";
      chain_separator = ",\n";
      for (std::size_t i = 0; i < draws; ++i) {
        if (i > 0) text += ',';
        const auto values = variable.values(chain.draws[i]);
        const double* next = values.data();
        if (yes_or_no) {
          text += *next != 0.0 ? "true" : "false";
        } else {
          append_nested(shape, 0, next, text);
        }
      }
      file_.write(text + "]");
    }
  }

  static void append_nested(const std::vector<std::size_t>& shape, std::size_t level, const double*& next,
                            std::string& text) {
    if (level == shape.size()) {
      fmt::format_to(std::back_inserter(text), "{}", *next++);
      return;
    }
    text += '[';
    for (std::size_t i = 0; i < shape[level]; ++i) {
      if (i > 0) text += ',';
      append_nested(shape, level + 1, next, text);
    }
    text += ']';
  }

  std::size_t shortest_chain() const {
    std::size_t shortest = 0;
    for (const SampledChain& chain : summary_.chains) {
      if (chain.draws.empty()) continue;
      shortest = shortest == 0 ? chain.draws.size() : std::min(shortest, chain.draws.size());
    }
    return shortest;
  }

  const Structure& structure_;
  const SampleSummary& summary_;
  base::AtomicFile file_;
  std::vector<int> observing_;  // actions that yield something
  Json coordinates_;
};

}  // namespace

void write_arviz_json(const std::string& path, const Structure& structure, const SampleSummary& summary) {
  ArvizWriter(path, structure, summary).write();
}

}  // namespace interpole::learn
