#include "interpole/model/parameter_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/error.hpp"
#include "interpole/model/coordinates.hpp"

namespace interpole::model {
namespace {

// A row with known and free entries becomes a block, or, where the known ones settle the rest, known itself.
void add_row(std::vector<ParameterBlock>& blocks, int& size, Field field, std::vector<double>& known,
             int begin, int length, const std::string& name) {
  ParameterBlock block;
  block.field = field;
  block.name = name;
  for (int i = begin; i < begin + length; ++i) {
    if (std::isnan(known[i])) {
      block.entries.push_back(i);
    } else {
      block.mass -= known[i];
    }
  }
  if (block.entries.empty()) return;
  if (block.entries.size() == 1) {
    known[block.entries[0]] = block.mass;
    return;
  }
  if (field != Field::kMeans && block.mass <= 0.0) {
    throw input_error(
        fmt::format("known {}: the known entries leave nothing for the others; state them all", name));
  }
  block.offset = size;
  block.size = static_cast<int>(block.entries.size()) - 1;
  size += block.size;
  blocks.push_back(std::move(block));
}

// Whether two rows of known values leave the same to learn.
bool same_row(const std::vector<double>& known, int x, int y, int length) {
  for (int i = 0; i < length; ++i) {
    const bool both_free = std::isnan(known[x + i]) && std::isnan(known[y + i]);
    if (!both_free && known[x + i] != known[y + i]) return false;
  }
  return true;
}

// Entries of a block, gathered from and scattered to their array.
class Gathered {
 public:
  Gathered(const std::vector<double>& array, const ParameterBlock& block) : values_(block.entries.size()) {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = array[block.entries[i]];
  }
  explicit Gathered(const ParameterBlock& block) : values_(block.entries.size()) {}
  void scatter(std::vector<double>& array, const std::vector<int>& entries) const {
    for (std::size_t i = 0; i < values_.size(); ++i) array[entries[i]] = values_[i];
  }
  void add(const std::vector<double>& array, const std::vector<int>& entries) {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] += array[entries[i]];
  }
  std::span<double> span() { return values_; }

 private:
  std::vector<double> values_;
};

std::span<double> part(std::span<double> y, const ParameterBlock& block) {
  return y.subspan(block.offset, block.size);
}
std::span<const double> part(std::span<const double> y, const ParameterBlock& block) {
  return y.subspan(block.offset, block.size);
}

// A number of its own: known, or a block of one coordinate.
void add_single(std::vector<ParameterBlock>& blocks, int& size, const std::vector<double>& known, int entry,
                const ParameterForm& form, const std::string& name) {
  if (!std::isnan(known[entry])) return;
  blocks.push_back({Field::kObservation, {entry}, {}, 1.0, size++, 1, name, 0, form});
}

// Where nothing can be learned: what is expected, or all levels alike.
void fill_unlearned(const std::vector<ParameterForm>& forms, double* values) {
  for (std::size_t i = 0; i < forms.size(); ++i) {
    if (!std::isnan(values[i])) continue;
    values[i] = forms[i].kind == ParameterForm::Kind::kProbability ? 1.0 / static_cast<double>(forms.size())
                                                                   : forms[i].at(0.0);
  }
}

int first_yielding(const Structure& structure, const MeasuredFactor& factor) {
  for (int a = 0; a < structure.action_count(); ++a) {
    if (!structure.is_terminal(a) && factor.yielded(a)) return a;
  }
  return -1;
}

}  // namespace

void block_coordinates(const ParameterBlock& block, std::span<const double> values, std::span<double> y) {
  if (block.single()) {
    y[0] = block.form.coordinate(values[0]);
  } else {
    simplex_coordinates(values, y);
  }
}

const std::vector<double>& field_of(const Dynamics& dynamics, Field field) {
  switch (field) {
    case Field::kInitial:
      return dynamics.initial;
    case Field::kTransition:
      return dynamics.transition;
    default:
      return dynamics.observation;
  }
}

std::vector<double>& field_of(Dynamics& dynamics, Field field) {
  return const_cast<std::vector<double>&>(field_of(static_cast<const Dynamics&>(dynamics), field));
}

DynamicsSpace::DynamicsSpace(const Structure& structure, const Dynamics& known, const Ties& ties)
    : known_(known) {
  const int states = structure.state_count();
  const int observations = structure.observation_count();
  int first = 0;  // action that is not terminal: the others are tied to it
  while (first < structure.action_count() && structure.is_terminal(first)) ++first;
  add_row(blocks_, size_, Field::kInitial, known_.initial, 0, states, "initial_belief");
  for (int a = 0; a < structure.action_count(); ++a) {
    for (int s = 0; s < states; ++s) {
      const int row = a * states + s;
      const std::string place = fmt::format("[{},{}]", structure.actions[a], structure.states[s]);
      if (structure.is_terminal(a)) {
        // Nothing follows a terminal action: its transition cannot be learned and is kept where it is.
        for (int to = 0; to < states; ++to) {
          double& entry = known_.transition[row * states + to];
          if (std::isnan(entry)) entry = s == to ? 1.0 : 0.0;
        }
      }
      for (int z = 0; z < observations; ++z) {
        if (!structure.can_yield(a, z)) known_.observation[row * observations + z] = 0.0;
      }
      const bool tied = a > first && !structure.is_terminal(a);
      if (tied && ties.transition) {
        tie_row(Field::kTransition, known.transition, (first * states + s) * states, row * states, states,
                "transition" + place);
      } else {
        add_row(blocks_, size_, Field::kTransition, known_.transition, row * states, states,
                "transition" + place);
      }
      if (structure.is_terminal(a) || structure.measured()) continue;
      if (tied && ties.observation) {
        tie_row(Field::kObservation, known_.observation, (first * states + s) * observations,
                row * observations, observations, "observation" + place);
      } else {
        add_row(blocks_, size_, Field::kObservation, known_.observation, row * observations, observations,
                "observation" + place);
      }
    }
    if (structure.measured()) add_factors(structure, ties, known, a);
  }
  for (std::size_t i = 0; i < known_.start.size(); ++i) {
    StartTerm& term = known_.start[i];
    if (std::none_of(term.weights.begin(), term.weights.end(), [](double w) { return std::isnan(w); }))
      continue;
    const ZeroSum zero_sum{term.weights.size() / structure.states.size(), structure.states.size(),
                           !term.of.categories.empty()};
    start_.push_back({static_cast<int>(i), zero_sum, start_size_, static_cast<int>(zero_sum.size()),
                      "start by " + term.of.name});
    start_size_ += start_.back().size;
    std::fill(term.weights.begin(), term.weights.end(), 0.0);
  }
}

void DynamicsSpace::add_factors(const Structure& structure, const Ties& ties, const Dynamics& stated,
                                int action) {
  const int states = structure.state_count();
  const auto offsets = factor_offsets(structure.factors);
  for (int s = 0; s < states; ++s) {
    const int row = (action * states + s) * offsets.back();
    if (structure.is_terminal(action)) {
      std::fill_n(known_.observation.begin() + row, offsets.back(), 0.0);
      continue;
    }
    for (std::size_t f = 0; f < structure.factors.size(); ++f) {
      const MeasuredFactor& factor = structure.factors[f];
      const auto forms = forms_of(factor);
      const int begin = row + offsets[f];
      if (!factor.yielded(action)) {
        fill_unlearned(forms, &known_.observation[begin]);
        continue;
      }
      const int first = first_yielding(structure, factor);
      const int like = (first * states + s) * offsets.back() + offsets[f];
      const bool tied = ties.observation && action != first;
      const std::string name =
          fmt::format("observation[{},{}] {}", structure.actions[action], structure.states[s], factor.name);
      if (factor.family == Family::kCategorical) {
        const auto length = static_cast<int>(forms.size());
        if (tied) {
          tie_row(Field::kObservation, stated.observation, like, begin, length, name);
        } else {
          add_row(blocks_, size_, Field::kObservation, known_.observation, begin, length, name);
        }
        continue;
      }
      for (int i = 0; i < static_cast<int>(forms.size()); ++i) {
        const ParameterForm& form = forms[static_cast<std::size_t>(i)];
        const std::string full = name + " " + form.name;
        const int common = first * states * offsets.back() + offsets[f] + i;
        if (form.common && begin + i != common) {
          tie_row(Field::kObservation, stated.observation, common, begin + i, 1, full);
        } else if (tied) {
          tie_row(Field::kObservation, stated.observation, like + i, begin + i, 1, full);
        } else {
          add_single(blocks_, size_, known_.observation, begin + i, form, full);
        }
      }
    }
  }
}

void DynamicsSpace::append_all_names(const std::string& prefix, std::vector<std::string>& names) const {
  append_names(blocks_, prefix, names);
  for (const StartBlock& block : start_) names.insert(names.end(), block.size, block.name);
}

void DynamicsSpace::tie_row(Field field, const std::vector<double>& stated, int like, int begin, int length,
                            const std::string& name) {
  std::vector<double>& known = field_of(known_, field);
  const auto block = std::find_if(blocks_.begin(), blocks_.end(), [&](const ParameterBlock& other) {
    return other.field == field && other.entries.front() >= like && other.entries.front() < like + length;
  });
  bool same = true;
  if (block != blocks_.end()) {
    same = same_row(stated, like, begin, length);
  } else {
    // The first row is known, or was settled where one entry was left.
    for (int i = 0; i < length; ++i)
      same &= std::isnan(known[begin + i]) || known[begin + i] == known[like + i];
  }
  if (!same) {
    throw input_error(
        fmt::format("{} is tied to the same row of another action, which knows or can yield something else; "
                    "state the same for "
                    "both, or remove the tie",
                    name));
  }
  if (block == blocks_.end()) {
    std::copy_n(known.begin() + like, length, known.begin() + begin);
    return;
  }
  std::vector<int> copy;
  for (const int i : block->entries) copy.push_back(i - like + begin);
  block->copies.push_back(std::move(copy));
}

Dynamics DynamicsSpace::point(std::span<const double> y) const {
  Dynamics dynamics = known_;
  point(y, dynamics);
  return dynamics;
}

void DynamicsSpace::point(std::span<const double> y, Dynamics& dynamics) const {
  for (const auto& block : blocks_) {
    Gathered theta(block);
    if (block.single()) {
      theta.span()[0] = block.form.at(y[block.offset]);
    } else {
      simplex_point<double>(part(y, block), block.mass, theta.span());
    }
    theta.scatter(field_of(dynamics, block.field), block.entries);
    for (const auto& copy : block.copies) theta.scatter(field_of(dynamics, block.field), copy);
  }
  point_start(start_part(y), dynamics.start);
}

void DynamicsSpace::point_start(std::span<const double> start_y, std::vector<StartTerm>& start) const {
  for (const StartBlock& block : start_) {
    start[block.term].weights = block.zero_sum.weights(start_y.subspan(block.offset, block.size));
  }
}

void DynamicsSpace::pull_back_start(const std::vector<StartTerm>& gradient,
                                    std::span<double> d_start_y) const {
  for (const StartBlock& block : start_) {
    const auto own = block.zero_sum.coordinates(gradient[block.term].weights);
    for (int k = 0; k < block.size; ++k) d_start_y[block.offset + k] += own[k];
  }
}

void DynamicsSpace::coordinates(const Dynamics& dynamics, std::span<double> y) const {
  for (const auto& block : blocks_) {
    Gathered theta(field_of(dynamics, block.field), block);
    block_coordinates(block, theta.span(), part(y, block));
  }
  for (const StartBlock& block : start_) {
    const auto own = block.zero_sum.coordinates(dynamics.start[block.term].weights);
    std::copy(own.begin(), own.end(), start_part(y).begin() + block.offset);
  }
}

void DynamicsSpace::pull_back(const Dynamics& at, const Dynamics& gradient, std::span<double> d_y) const {
  for (const auto& block : blocks_) {
    Gathered theta(field_of(at, block.field), block);
    Gathered d_theta(field_of(gradient, block.field), block);
    for (const auto& copy : block.copies) d_theta.add(field_of(gradient, block.field), copy);
    if (block.single()) {
      d_y[block.offset] += block.form.slope(theta.span()[0]) * d_theta.span()[0];
      continue;
    }
    simplex_pull_back(theta.span(), block.mass, d_theta.span(), part(d_y, block));
  }
  pull_back_start(gradient.start, start_part(d_y));
}

double DynamicsSpace::log_jacobian(const Dynamics& at, std::span<double> d_y) const {
  double value = 0.0;
  for (const auto& block : blocks_) {
    if (block.single()) continue;  // their prior is one of the coordinate
    Gathered theta(field_of(at, block.field), block);
    value += simplex_log_jacobian(theta.span(), block.mass, d_y.empty() ? d_y : part(d_y, block));
  }
  return value;
}

namespace {

double& temperature_of(Policy& policy, int kind) {
  return kind == 0 ? policy.inverse_temperature : policy.other_kinds[kind - 1].inverse_temperature;
}
std::vector<double>& means_of(Policy& policy, int kind) {
  return kind == 0 ? policy.means : policy.other_kinds[kind - 1].means;
}
double temperature_of(const Policy& policy, int kind) {
  return temperature_of(const_cast<Policy&>(policy), kind);
}
const std::vector<double>& means_of(const Policy& policy, int kind) {
  return means_of(const_cast<Policy&>(policy), kind);
}

// η and the means of one kind: blocks of coordinates that begin at `size`.
void add_kind(const Structure& structure, Policy& known, int kind, std::vector<ParameterBlock>& blocks,
              int& size) {
  const std::size_t first = blocks.size();
  const std::string prefix = kind == 0 ? "" : fmt::format("kind {} ", kind + 1);
  if (std::isnan(temperature_of(known, kind))) {
    blocks.push_back({Field::kTemperature, {0}, {}, 0.0, size++, 1, prefix + "inverse_temperature"});
  }
  for (int a = 0; a < structure.action_count(); ++a) {
    add_row(blocks, size, Field::kMeans, means_of(known, kind), a * structure.state_count(),
            structure.state_count(), fmt::format("{}means[{}]", prefix, structure.actions[a]));
  }
  for (std::size_t i = first; i < blocks.size(); ++i) blocks[i].kind = kind;
}

}  // namespace

PolicySpace::PolicySpace(const Structure& structure, const Policy& known)
    : known_(known), terms_(structure, known.terms) {
  add_kind(structure, known_, 0, blocks_, size_);
  int end = size_;
  for (int kind = 1; kind < known_.kind_count(); ++kind) {
    add_kind(structure, known_, kind, kind_blocks_, end);
    if (std::isnan(known_.other_kinds[kind - 1].share)) ++shares_size_;
  }
  kinds_size_ = end - size_;
  known_.terms = terms_.point(std::vector<double>(terms_.size(), 0.0));
}

Policy PolicySpace::point(std::span<const double> y) const {
  Policy policy = known_;
  point(y, policy);
  return policy;
}

void PolicySpace::point(std::span<const double> y, Policy& policy) const {
  for (const auto* blocks : {&blocks_, &kind_blocks_}) {
    for (const auto& block : *blocks) {
      if (block.field == Field::kTemperature) {
        temperature_of(policy, block.kind) = std::exp(y[block.offset]);
        continue;
      }
      Gathered mu(block);
      affine_point<double>(part(y, block), block.mass, mu.span());
      mu.scatter(means_of(policy, block.kind), block.entries);
    }
  }
  if (terms_.size() > 0) terms_.point(terms_part(y), policy.terms);
  if (shares_size_ == 0) return;
  std::vector<double> shares(policy.kind_count());
  simplex_point<double>(shares_part(y), 1.0, shares);
  for (std::size_t k = 1; k < shares.size(); ++k) policy.other_kinds[k - 1].share = shares[k];
}

void PolicySpace::coordinates(const Policy& policy, std::span<double> y) const {
  for (const auto* blocks : {&blocks_, &kind_blocks_}) {
    for (const auto& block : *blocks) {
      if (block.field == Field::kTemperature) {
        y[block.offset] = std::log(temperature_of(policy, block.kind));
        continue;
      }
      Gathered mu(means_of(policy, block.kind), block);
      helmert_transpose<double>(mu.span(), part(y, block));
    }
  }
  if (terms_.size() > 0) terms_.coordinates(policy.terms, terms_part(y));
  if (shares_size_ > 0) simplex_coordinates(policy.kind_shares(), shares_part(y));
}

void PolicySpace::pull_back(const Policy& at, const Policy& gradient, std::span<double> d_y) const {
  for (const auto* blocks : {&blocks_, &kind_blocks_}) {
    for (const auto& block : *blocks) {
      if (block.field == Field::kTemperature) {
        d_y[block.offset] += temperature_of(at, block.kind) * temperature_of(gradient, block.kind);
        continue;
      }
      Gathered d_mu(means_of(gradient, block.kind), block);
      std::vector<double> d_block(block.size);
      helmert_transpose<double>(d_mu.span(), d_block);
      for (int k = 0; k < block.size; ++k) d_y[block.offset + k] += d_block[k];
    }
  }
  if (terms_.size() > 0) terms_.pull_back(at.terms, gradient.terms, terms_part(d_y));
  if (shares_size_ == 0) return;
  // What the others leave is the commonest kind's: the gradient by their shares holds it already.
  std::vector<double> d_shares = {0.0};
  for (const PolicyKind& kind : gradient.other_kinds) d_shares.push_back(kind.share);
  simplex_pull_back(at.kind_shares(), 1.0, d_shares, shares_part(d_y));
}

double PolicySpace::log_jacobian(const Policy& at, std::span<double> d_y) const {
  // The means are an isometry away from their coordinates, up to a constant: of them only η stretches space.
  double value = terms_.log_jacobian(at.terms, d_y.empty() ? d_y : terms_part(d_y));
  for (const auto* blocks : {&blocks_, &kind_blocks_}) {
    for (const auto& block : *blocks) {
      if (block.field != Field::kTemperature) continue;
      value += std::log(temperature_of(at, block.kind));
      if (!d_y.empty()) d_y[block.offset] += 1.0;
    }
  }
  if (shares_size_ == 0) return value;
  return value + simplex_log_jacobian(at.kind_shares(), 1.0, d_y.empty() ? d_y : shares_part(d_y));
}

std::vector<std::string> PolicySpace::names() const {
  std::vector<std::string> names;
  append_names(blocks_, "", names);
  append_names(kind_blocks_, "", names);
  for (int k = 0; k < shares_size_; ++k) names.push_back(fmt::format("share of kind {}", k + 2));
  for (std::string& name : terms_.names()) names.push_back(std::move(name));
  return names;
}

void append_names(const std::vector<ParameterBlock>& blocks, const std::string& prefix,
                  std::vector<std::string>& names) {
  for (const auto& block : blocks) names.insert(names.end(), block.size, prefix + block.name);
}

}  // namespace interpole::model
