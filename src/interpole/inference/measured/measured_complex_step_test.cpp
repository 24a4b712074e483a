// The likelihood of measured factors, by equal steps and over gaps of any length, and its derivative by every
// number of a model: against a recursion of its own in complex numbers and its complex step. Nothing of the
// kernels, of families.cpp or of our exponential is in it; exp(QΔ) is Eigen's Padé approximation.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <unsupported/Eigen/MatrixFunctions>

#include "interpole/inference/likelihood.hpp"
#include "interpole/inference/measured/mixed_structure_testing.hpp"
#include "interpole/inference/oracle_testing.hpp"
#include "interpole/model/measured/draw_outcome.hpp"
#include "interpole/model/measured/families.hpp"
#include "interpole/model/measured/flat_density_testing.hpp"

namespace interpole::inference {
namespace {

using Complex = std::complex<double>;
using ComplexMatrix = Eigen::Matrix<Complex, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kTypicalGap = 3.0;

enum class Visits { kSteps, kRates, kWholeSteps };

Structure visited_structure(Visits visits) {
  Structure structure = mixed_structure(3, 3);
  if (visits == Visits::kRates) structure.set_time({"days", TimeRule::kGenerators, kTypicalGap});
  if (visits == Visits::kWholeSteps) structure.set_time({"days", TimeRule::kSteps, 1.0, 0});
  return structure;
}

Parameters visited_point(const Structure& structure, base::RandomStream& random) {
  Structure listed = Structure::unrestricted(structure.states, structure.actions, {"z"});
  listed.terminal = structure.terminal;
  Parameters p = testing::random_parameters(listed, random, 2.0);
  p.dynamics.observation.clear();
  for (std::size_t row = 0; row < structure.actions.size() * structure.states.size(); ++row) {
    for (const MeasuredFactor& factor : structure.factors) {
      const auto forms = model::forms_of(factor);
      auto numbers = random.dirichlet(static_cast<int>(forms.size()), 2.0);
      for (std::size_t i = 0; i < forms.size() && factor.family != Family::kCategorical; ++i)
        numbers[i] = forms[i].at(0.6 * random.normal());
      p.dynamics.observation.insert(p.dynamics.observation.end(), numbers.begin(), numbers.end());
    }
  }
  return p;
}

std::vector<Record> random_visits(const Structure& structure, const Parameters& p,
                                  base::RandomStream& random) {
  const std::vector<double> gaps = structure.timed() && structure.time->rule == TimeRule::kSteps
                                       ? std::vector<double>{1.0, 2.0, 5.0}
                                       : std::vector<double>{0.25, 1.0, 2.5, 7.0, 40.0};
  const auto pick = [&](std::size_t n) {
    return static_cast<int>(random.uniform() * static_cast<double>(n));
  };
  std::vector<Record> records(25);
  for (Record& record : records) {
    for (int left = 1 + pick(7); left > 0; --left) {
      Step step{random.uniform() < 0.05 ? 2 : pick(2)};
      if (!structure.is_terminal(step.action)) {
        auto values = model::draw_outcome(structure, p.dynamics, step.action, pick(3), random);
        for (double& value : values) value = random.uniform() < 0.3 ? NAN : value;
        step.observation = structure.outcomes.table->place_of(values);
        if (structure.timed())
          step.gap = structure.gaps.table->place_of(gaps[static_cast<std::size_t>(pick(gaps.size()))]);
      }
      record.steps.push_back(step);
      if (structure.is_terminal(step.action)) break;
    }
    record.steps.back().gap = kNoGap;
  }
  return records;
}

// What brings beliefs over a step.
ComplexMatrix complex_transition(const Structure& structure, const testing::FlatParameters<Complex>& p,
                                 Step step) {
  const auto S = static_cast<int>(structure.states.size());
  const auto rows = [&](int action) {
    return ComplexMatrix(
        Eigen::Map<const ComplexMatrix>(&p.transition[static_cast<std::size_t>(action) * S * S], S, S));
  };
  if (!structure.timed()) return rows(step.action);
  if (step.gap == kNoGap) return ComplexMatrix::Identity(S, S);
  const double gap = structure.gaps.table->at(step.gap);
  ComplexMatrix T = rows(step.action);
  if (structure.time->rule == TimeRule::kSteps) {
    for (int k = 1; k < std::lround(gap); ++k) T = T * rows(structure.time->wait);
    return T;
  }
  for (int s = 0; s < S; ++s) {
    const Complex stays = T(s, s) * kTypicalGap;
    Complex leaves = 0.0;
    for (int to = 0; to < S; ++to) leaves += to == s ? 0.0 : T(s, to) /= stays;
    T(s, s) = -leaves;
  }
  return (T * gap).exp();
}

Complex complex_density(const Structure& structure, const testing::FlatParameters<Complex>& p, Step step,
                        int state) {
  const auto offsets = model::factor_offsets(structure.factors);
  const auto values = structure.outcomes.table->at(step.observation);
  const auto row = static_cast<std::size_t>(step.action * structure.state_count() + state) * offsets.back();
  Complex sum = 0.0;
  for (std::size_t f = 0; f < values.size(); ++f) {
    if (std::isnan(values[f])) continue;
    sum += model::flat_log_density(structure.factors[f], values[f],
                                   &p.observation[row + static_cast<std::size_t>(offsets[f])]);
  }
  return std::exp(sum);
}

Complex complex_log_likelihood(const Structure& structure, const testing::FlatParameters<Complex>& p,
                               const std::vector<Record>& records) {
  const int S = structure.state_count();
  Complex sum = 0.0;
  for (const Record& record : records) {
    std::vector<Complex> b = p.initial;
    for (std::size_t t = 0; t < record.steps.size(); ++t) {
      const Step step = record.steps[t];
      sum += testing::flat_log_chance(p, p.inverse_temperature, p.means, record, t, b);
      if (step.observation == kMissing && t + 1 == record.steps.size()) break;
      const ComplexMatrix T = complex_transition(structure, p, step);
      std::vector<Complex> next(b.size(), 0.0);
      Complex c = 0.0;
      for (int to = 0; to < S; ++to) {
        for (int from = 0; from < S; ++from) next[to] += b[from] * T(from, to);
        if (step.observation != kMissing) next[to] *= complex_density(structure, p, step, to);
        c += next[to];
      }
      for (std::size_t s = 0; s < b.size(); ++s) b[s] = next[s] / c;
      sum += std::log(c);
    }
  }
  return sum;
}

// The largest difference from the complex step, relative to the size of what is above 1.
double worst_from_complex_step(const Structure& structure, const Parameters& p,
                               const std::vector<Record>& records, const Parameters& gradient) {
  constexpr double kStep = 1e-30;
  testing::FlatParameters<Complex> at(p);
  double worst = 0.0;
  const auto check = [&](Complex& number, double found) {
    const Complex here = number;
    number += Complex(0.0, kStep);
    const double expected = complex_log_likelihood(structure, at, records).imag() / kStep;
    number = here;
    worst = std::max(worst, std::abs(found - expected) / std::max(1.0, std::abs(expected)));
  };
  const auto check_all = [&](std::vector<Complex>& numbers, const std::vector<double>& found) {
    for (std::size_t i = 0; i < found.size(); ++i) check(numbers[i], found[i]);
  };
  check_all(at.initial, gradient.dynamics.initial);
  check_all(at.transition, gradient.dynamics.transition);
  check_all(at.observation, gradient.dynamics.observation);
  check_all(at.means, gradient.policy.means);
  check(at.inverse_temperature, gradient.policy.inverse_temperature);
  return worst;
}

struct VisitedCase {
  Structure structure;
  Parameters parameters;
  std::vector<Record> records;
  HistoryTree tree;

  VisitedCase(Visits visits, std::uint64_t seed) : structure(visited_structure(visits)) {
    base::RandomStream random(61, seed);
    parameters = visited_point(structure, random);
    records = random_visits(structure, parameters, random);
    tree = build_history_tree(structure.action_count(), records);
  }
  LikelihoodValue evaluate(Kernel kernel, Parameters& gradient) const {
    gradient = Parameters::filled(structure, 0.0);
    const Likelihood likelihood(tree, structure, kernel);
    auto workspace = likelihood.make_workspace();
    return likelihood.evaluate(parameters, {}, &gradient, workspace);
  }
};

TEST(MeasuredLikelihood, ValueAndGradientMatchTheComplexStep) {
  for (const Visits visits : {Visits::kSteps, Visits::kRates, Visits::kWholeSteps}) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const VisitedCase c(visits, seed);
      const double expected =
          complex_log_likelihood(c.structure, testing::FlatParameters<Complex>(c.parameters), c.records)
              .real();
      for (const Kernel kernel : {Kernel::kPlain, Kernel::kVector}) {
        Parameters gradient;
        const auto value = c.evaluate(kernel, gradient);
        ASSERT_FALSE(value.impossible_node);
        EXPECT_NEAR(value.total(), expected, 1e-12 * std::abs(expected));
        EXPECT_LE(worst_from_complex_step(c.structure, c.parameters, c.records, gradient), 1e-10)
            << static_cast<int>(visits) << ", seed " << seed;
      }
    }
  }
}

TEST(MeasuredLikelihood, TheComplexStepNoticesAGradientThatIsSlightlyWrong) {
  const VisitedCase c(Visits::kRates, 9);
  Parameters gradient;
  c.evaluate(Kernel::kVector, gradient);
  double& d = gradient.dynamics.transition[1];
  d += 1e-8 * std::max(1.0, std::abs(d));
  EXPECT_GT(worst_from_complex_step(c.structure, c.parameters, c.records, gradient), 5e-9);
}

}  // namespace
}  // namespace interpole::inference
