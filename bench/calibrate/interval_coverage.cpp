// Do 90% intervals hold the truth, where the model is right and where it lacks something? Four kinds, beside
// each other: as the posterior has them; widened by the misfit that model checks prove, as `interpole fit`
// does ("misfit"); by the misfit that they suggest, χ² less its degrees ("surplus"); and a sandwich, whose
// spread is that of the scores of single patients. Simulated wards and random ones (known_wards.hpp), fitted
// as a user would.
//
//   build/interval_coverage [--sets 20] [--first 0] [--patients 1000] [--policy belief] [--seed 1]
//                           [--threads 0] [--scores 20000] [CONDITION …]
//
// --scores: of so many patients the sandwich takes the scores. One row for each condition and kind: intervals
// of the dynamics in the agent's head, of the world's, of their difference and of the policy's means that
// hold the truth; how wide they are, against those of the fit; in how many sets they were widened by misfit.
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "arguments.hpp"
#include "interpole/base/parallel.hpp"
#include "interpole/estimate.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "interpole/learn/posterior/posterior.hpp"
#include "interpole/learn/result/fit_result.hpp"
#include "interpole/learn/uncertainty/uncertainty_file.hpp"
#include "interpole/model_checks.hpp"
#include "known_wards.hpp"

namespace interpole {
namespace {

constexpr int kDraws = 2000;
constexpr double kLevel = 0.9;
constexpr const char* kRow = "{:<24} {:<10} {:>5} {:>8} {:>8} {:>11} {:>8} {:>8} {:>9}\n";

struct Setting {
  int sets = 20;
  int first = 0;
  int patients = 1000;
  int threads = 0;
  int scores = 20'000;
  std::uint64_t seed = 1;
  PolicyUse policy = PolicyUse::kBelief;
};

using Matrix = Eigen::MatrixXd;

// ∑ score scoreᵀ of the records' log-likelihood at a point, scaled to all of them.
Matrix scores_squared(const DecisionProblem& problem, const learn::PosteriorOptions& options,
                      const Records& records, int most, const std::vector<double>& at) {
  std::map<std::vector<std::pair<int, int>>, std::pair<const Record*, int>> distinct;
  const std::size_t used = std::min(records.size(), static_cast<std::size_t>(most));
  for (std::size_t i = 0; i < used; ++i) {
    const Record& record = records[i * records.size() / used];
    std::vector<std::pair<int, int>> key;
    for (const Step& step : record.steps) key.emplace_back(step.action, step.observation);
    auto& [first, count] = distinct[key];
    first = &record;
    ++count;
  }
  const auto n = static_cast<Eigen::Index>(at.size());
  Matrix sum = Matrix::Zero(n, n);
  learn::TiltNormalisers normalisers;
  learn::PosteriorOptions own = options;
  own.normalisers = &normalisers;
  for (const auto& [key, value] : distinct) {
    const auto& [record, count] = value;
    const HistoryTree tree =
        build_history_tree(problem.structure.action_count(), std::vector<Record>{*record});
    const inference::Likelihood likelihood(tree, problem.structure, inference::Kernel::kPlain);
    const auto posterior = learn::make_posterior(likelihood, problem, own);
    std::vector<double> all(at.size()), prior(at.size());
    posterior->evaluate(at, all);
    posterior->evaluate_prior(at, prior);
    Eigen::VectorXd score(n);
    for (Eigen::Index i = 0; i < n; ++i) score[i] = all[i] - prior[i];
    sum += static_cast<double>(count) * score * score.transpose();
  }
  return sum * (static_cast<double>(records.size()) / static_cast<double>(used));
}

// −∇² of the log-prior, by central differences of its gradient.
Matrix prior_bend(learn::Posterior& posterior, const std::vector<double>& at) {
  constexpr double kStep = 1e-4;
  const auto n = static_cast<Eigen::Index>(at.size());
  Matrix bend(n, n);
  std::vector<double> up(at.size()), down(at.size());
  for (Eigen::Index k = 0; k < n; ++k) {
    std::vector<double> point = at;
    point[k] += kStep;
    posterior.evaluate_prior(point, up);
    point[k] = at[k] - kStep;
    posterior.evaluate_prior(point, down);
    for (Eigen::Index i = 0; i < n; ++i) bend(i, k) = (down[i] - up[i]) / (2.0 * kStep);
  }
  return 0.5 * (bend + bend.transpose());
}

// Covariance Σ(J + P)Σ instead of Σ, where Σ⁻¹ = I + P: the same where the model is right and J = I.
void make_sandwich(learn::StoredUncertainty& stored, const Records& records, int most) {
  const HistoryTree none =
      build_history_tree(stored.problem.structure.action_count(), std::vector<Record>{records.front()});
  const inference::Likelihood likelihood(none, stored.problem.structure);
  for (learn::UncertaintyComponent& component : stored.uncertainty.components) {
    learn::Laplace& laplace = component.laplace;
    const learn::PosteriorOptions options{
        stored.uncertainty.dynamics, learn::Measure::kCoordinates, {component.scales, false}, nullptr};
    const auto posterior = learn::make_posterior(likelihood, stored.problem, options);
    const auto n = static_cast<Eigen::Index>(laplace.size());
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::Map<RowMajor> factor(laplace.factor.data(), n, n);
    const Matrix covariance = factor * factor.transpose();
    const Matrix meat = scores_squared(stored.problem, options, records, most, laplace.centre) +
                        prior_bend(*posterior, laplace.centre);
    Matrix robust = covariance * meat * covariance;
    robust.diagonal().array() += 1e-12 * robust.trace();
    const Eigen::LLT<Matrix> root(robust);
    if (root.info() == Eigen::Success) factor = root.matrixL();
  }
}

void widen(learn::StoredUncertainty& stored, double misfit) {
  for (learn::UncertaintyComponent& component : stored.uncertainty.components) {
    for (double& x : component.laplace.factor) x *= std::sqrt(1.0 + misfit);
  }
}

enum Part { kAgent, kWorld, kDifference, kMeans, kParts };

// Numbers that are learned, part by part: of every row of two, the first.
std::array<std::vector<double>, kParts> numbers_of(const AgentWorld& x) {
  std::array<std::vector<double>, kParts> result;
  const auto add = [&](const Dynamics& dynamics, std::vector<double>& list) {
    list.push_back(dynamics.initial[0]);
    for (const std::size_t row : {0, 1, 2, 3}) list.push_back(dynamics.transition[2 * row]);
    for (const std::size_t row : {0, 1, 2, 3}) list.push_back(dynamics.observation[2 * row]);
  };
  add(x.agent.dynamics, result[kAgent]);
  add(*x.world, result[kWorld]);
  for (std::size_t i = 0; i < result[kAgent].size(); ++i)
    result[kDifference].push_back(result[kAgent][i] - result[kWorld][i]);
  for (std::size_t a = 0; a < 3; ++a) result[kMeans].push_back(x.agent.policy.means[2 * a]);
  return result;
}

// A test shows "normal" more often of the well, who come first.
AgentWorld named(const Structure& structure, const AgentWorld& x) {
  const bool swapped = x.world->observation[4] < x.world->observation[6];
  return swapped ? permute_states(structure, x, {1, 0}) : x;
}

struct Kind {
  std::array<int, kParts> numbers{}, covered{};
  double width = 0.0;  // summed over numbers
  int widened = 0;
};

constexpr int kKinds = 4;
constexpr const char* kKindNames[kKinds] = {"as fitted", "misfit", "surplus", "sandwich"};
using Outcome = std::array<Kind, kKinds>;

Kind covered_by(const learn::StoredUncertainty& stored, const AgentWorld& truth, std::uint64_t seed) {
  Kind kind;
  const auto expected = numbers_of(truth);
  std::vector<std::array<std::vector<double>, kParts>> draws;
  for (const AgentWorld& draw : draw_agent_worlds(stored.problem, stored.uncertainty, kDraws, seed))
    draws.push_back(numbers_of(named(stored.problem.structure, draw)));
  for (int part = 0; part < kParts; ++part) {
    for (std::size_t i = 0; i < expected[part].size(); ++i) {
      std::vector<double> values;
      values.reserve(draws.size());
      for (const auto& draw : draws) values.push_back(draw[part][i]);
      const Estimate interval = estimate_of(std::move(values), kLevel);
      ++kind.numbers[part];
      kind.covered[part] += interval.low <= expected[part][i] && expected[part][i] <= interval.high;
      kind.width += interval.high - interval.low;
    }
  }
  return kind;
}

// χ² beyond what is expected, of the check that has the most.
double surplus_of(const ModelChecks& checks) {
  double most = 0.0;
  for (const ModelCheck& check : checks.checks) most = std::max(most, check.statistic - check.degrees);
  return most;
}

Outcome outcome_of(const KnownWard& condition, const Setting& setting, std::uint64_t set) {
  const Environment environment = condition.environment(set);
  const AgentWorld truth{environment.truth.agent, environment.truth.world};
  const Records records = records_of(environment, setting.patients, set);
  const DecisionProblem problem = DecisionProblem::open(structure_of(records));
  const HistoryTree tree = build_history_tree(3, records);
  learn::FitOptions options;
  options.policy = setting.policy;
  options.seed = setting.seed;
  options.threads = 1;
  const FitResult fit = learn::result_of(learn::fit(tree, problem, options, quiet_sink()), "");
  ModelCheckOptions check_options;
  check_options.threads = 1;
  check_options.hidden_information = false;
  const ModelChecks checks = check_model(fit, tree, check_options);
  Outcome outcome;
  for (int k = 0; k < kKinds; ++k) {
    learn::StoredUncertainty stored = *fit.uncertainty;
    const double misfit = k == 1 ? checks.misfit : k == 2 ? surplus_of(checks) : 0.0;
    if (k == 3) make_sandwich(stored, records, setting.scores);
    widen(stored, misfit);
    outcome[k] = covered_by(stored, truth, setting.seed);
    outcome[k].widened = misfit > 0.0;
  }
  return outcome;
}

void run(const KnownWard& condition, const Setting& setting) {
  std::vector<Outcome> outcomes(setting.sets);
  base::parallel_tasks(setting.sets, setting.threads, [&](int i) {
    outcomes[i] =
        outcome_of(condition, setting, setting.seed * 1000 + static_cast<std::uint64_t>(setting.first + i));
  });
  Outcome sum;
  for (const Outcome& outcome : outcomes) {
    for (int k = 0; k < kKinds; ++k) {
      for (int part = 0; part < kParts; ++part) {
        sum[k].numbers[part] += outcome[k].numbers[part];
        sum[k].covered[part] += outcome[k].covered[part];
      }
      sum[k].width += outcome[k].width;
      sum[k].widened += outcome[k].widened;
    }
  }
  for (int k = 0; k < kKinds; ++k) {
    const auto share = [&](Part part) {
      return fmt::format("{:.1f}%", 100.0 * sum[k].covered[part] / sum[k].numbers[part]);
    };
    fmt::print(fmt::runtime(kRow), condition.name, kKindNames[k], setting.sets, share(kAgent), share(kWorld),
               share(kDifference), share(kMeans), fmt::format("{:.2f}", sum[k].width / sum[0].width),
               sum[k].widened);
  }
  std::fflush(stdout);
}

Setting setting_of(const Arguments& arguments) {
  Setting setting;
  setting.sets = arguments.number("--sets", setting.sets);
  setting.first = arguments.number("--first", setting.first);
  setting.patients = arguments.number("--patients", setting.patients);
  setting.threads = arguments.number("--threads", setting.threads);
  setting.scores = arguments.number("--scores", setting.scores);
  setting.seed = arguments.number("--seed", setting.seed);
  setting.policy = policy_use_named(arguments.text("--policy", "belief"));
  return setting;
}

void run_all(int argc, char** argv) {
  const Arguments arguments(
      argc, argv, {"--sets", "--first", "--patients", "--threads", "--scores", "--seed", "--policy"});
  const Setting setting = setting_of(arguments);
  fmt::print(fmt::runtime(kRow), "decisions follow", "intervals", "sets", "agent", "world", "difference",
             "means", "width", "widened");
  for (const KnownWard& condition : kKnownWards) {
    // What a sign tells is no number of the fitted model.
    if (!condition.hides_signs && arguments.wants(condition.name)) run(condition, setting);
  }
}

}  // namespace
}  // namespace interpole

int main(int argc, char** argv) {
  return interpole::exit_code_of([&] { interpole::run_all(argc, argv); });
}
