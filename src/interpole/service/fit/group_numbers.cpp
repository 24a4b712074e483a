#include "interpole/service/fit/group_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/belief.hpp"
#include "interpole/explain/policy/bias_words.hpp"
#include "interpole/model/parameter_space.hpp"
#include "interpole/model/time/visit_gaps.hpp"

namespace interpole::service {
namespace {

double deviations_of(const std::vector<double>& draws) {
  double sum = 0.0;
  double squares = 0.0;
  for (const double x : draws) {
    sum += x;
    squares += x * x;
  }
  const auto n = static_cast<double>(draws.size());
  const double variance = squares / n - sum * sum / (n * n);
  return std::abs(sum / n) / std::sqrt(std::max(variance, 1e-12));
}

using GroupDraws = std::vector<std::vector<AgentWorld>>;  // [draw][group]

// Rates as people speak of them: how many have changed when a typical gap has passed.
GroupDraws over_a_typical_gap(const Structure& structure, GroupDraws draws) {
  const double gap = structure.time->typical_gap();
  for (auto& draw : draws) {
    for (AgentWorld& group : draw) {
      group.agent.dynamics = dynamics_over(structure, group.agent.dynamics, gap);
      if (group.world) group.world = dynamics_over(structure, *group.world, gap);
    }
  }
  return draws;
}

class Numbers {
 public:
  Numbers(const Structure& structure, const GroupDraws& draws, learn::GroupCause cause, double level)
      : structure_(structure), draws_(draws), cause_(cause), level_(level) {}

  // The entry of a row that differs most; of two that mirror each other the later. Parameters of measured
  // factors mirror nothing: each that differs.
  void add_row(Field field, int action, int state, std::vector<NumberByGroup>& result) const {
    const bool results = field == Field::kObservation;
    if (results && structure_.measured()) return add_parameters(action, state, result);
    const int length = results ? structure_.observation_count() : structure_.state_count();
    const int row = field == Field::kInitial ? 0 : action * structure_.state_count() + state;
    NumberByGroup best;
    for (int k = 0; k < length; ++k) {
      NumberByGroup number = of_entry(field, row * length + k);
      if (number.deviations < best.deviations * (1.0 - 1e-9)) continue;
      best = std::move(number);
      best.outcome = k;
    }
    best.action = action;
    best.state = state;
    if (best.difference.low > 0.0) result.push_back(std::move(best));
  }

 private:
  void add_parameters(int action, int state, std::vector<NumberByGroup>& result) const {
    const int columns = structure_.observation_columns();
    for (int k = 0; k < columns; ++k) {
      NumberByGroup number =
          of_entry(Field::kObservation, (action * structure_.state_count() + state) * columns + k);
      number.action = action;
      number.state = state;
      number.outcome = k;
      if (number.difference.low > 0.0) result.push_back(std::move(number));
    }
  }

  NumberByGroup of_entry(Field field, int entry) const {
    NumberByGroup number;
    number.cause = cause_;
    number.field = field;
    const std::size_t groups = draws_.front().size();
    std::vector<std::vector<double>> draws(groups);
    for (const auto& draw : draws_) {
      for (std::size_t g = 0; g < groups; ++g) {
        const Dynamics& of = cause_ == learn::GroupCause::kPatients ? *draw[g].world : draw[g].agent.dynamics;
        draws[g].push_back(model::field_of(of, field)[entry]);
      }
    }
    for (std::size_t g = 0; g < groups; ++g) {
      number.values.push_back(estimate_of(draws[g], level_));
      if (number.values[g].middle < number.values[number.lowest].middle) number.lowest = static_cast<int>(g);
      if (number.values[g].middle > number.values[number.highest].middle)
        number.highest = static_cast<int>(g);
    }
    std::vector<double> difference = draws[number.highest];
    for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= draws[number.lowest][i];
    number.deviations = number.lowest == number.highest ? 0.0 : deviations_of(difference);
    number.difference = estimate_of(std::move(difference), level_);
    return number;
  }

  const Structure& structure_;
  const GroupDraws& draws_;
  learn::GroupCause cause_;
  double level_;
};

}  // namespace

std::vector<NumberByGroup> numbers_by_group(const Structure& structure, const learn::GroupFit& fit,
                                            learn::GroupCause cause, double level) {
  std::vector<NumberByGroup> result;
  if (fit.draws.empty()) return result;
  const bool rates = model::has_rates(structure);
  const GroupDraws over_gap = rates ? over_a_typical_gap(structure, fit.draws) : GroupDraws();
  const Numbers numbers(structure, rates ? over_gap : fit.draws, cause, level);
  numbers.add_row(Field::kInitial, 0, 0, result);
  for (int a = 0; a < structure.action_count(); ++a) {
    if (structure.is_terminal(a)) continue;
    for (int s = 0; s < structure.state_count(); ++s) {
      numbers.add_row(Field::kTransition, a, s, result);
      numbers.add_row(Field::kObservation, a, s, result);
    }
  }
  std::stable_sort(result.begin(), result.end(), [](const NumberByGroup& x, const NumberByGroup& y) {
    return x.deviations > y.deviations;
  });
  return result;
}

std::string sentence_of(const Structure& structure, const std::vector<std::string>& groups,
                        const NumberByGroup& number) {
  if (number.field == Field::kObservation && structure.measured()) {
    const auto shown = [&](int group) {
      return fmt::format("{} in \"{}\"",
                         explain::shown_parameter(structure, number.outcome, number.values[group]),
                         groups[group]);
    };
    return fmt::format("{}{} in \"{}\" after \"{}\": {}, {}.",
                       number.cause == learn::GroupCause::kPatients ? "" : "Decisions are taken as if ",
                       structure.column_name(number.outcome), structure.states[number.state],
                       structure.actions[number.action], shown(number.highest), shown(number.lowest));
  }
  const std::string values =
      fmt::format("{} in \"{}\", {} in \"{}\"", shown_percent(number.values[number.highest]),
                  groups[number.highest], shown_percent(number.values[number.lowest]), groups[number.lowest]);
  const bool patients = number.cause == learn::GroupCause::kPatients;
  const std::string& state = structure.states[number.state];
  if (number.field == Field::kInitial) {
    const std::string& first = structure.states[number.outcome];
    return patients ? fmt::format("Patients are \"{}\" at the first visit: {}.", first, values)
                    : fmt::format("Decisions begin as if patients were \"{}\" at the first visit: {}.", first,
                                  values);
  }
  const std::string& action = structure.actions[number.action];
  const char* as_if = patients ? "" : "Decisions are taken as if ";
  if (number.field == Field::kTransition) {
    const std::string& after = structure.states[number.outcome];
    if (model::has_rates(structure)) {
      return fmt::format("{}\"{}\" patients {}{} \"{}\" {} after \"{}\": {}.", as_if, state,
                         patients ? "are" : "were", after == state ? " still" : "", after,
                         model::gap_words(*structure.time), action, values);
    }
    return fmt::format("{}\"{}\" {} \"{}\" after \"{}\": {}.", as_if, state,
                       after == state ? "stays" : (patients ? "turns into" : "turned into"), after, action,
                       values);
  }
  return fmt::format("{}\"{}\" {} \"{}\" for \"{}\" patients: {}.", as_if, action,
                     patients ? "gives" : "gave", structure.observations[number.outcome], state, values);
}

}  // namespace interpole::service
