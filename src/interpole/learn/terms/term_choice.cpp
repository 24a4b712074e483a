#include "interpole/learn/terms/term_choice.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <atomic>
#include <cmath>

#include "interpole/base/parallel.hpp"
#include "interpole/learn/posterior/log_posterior.hpp"
#include "interpole/optimize/symmetric.hpp"

namespace interpole::learn {
namespace {

using Shape = TermCandidate::Shape;
using Use = PolicyRequest::Use;

constexpr double kFirstScale = 1.0;
constexpr double kSmallestTau = 0.03;
constexpr double kLargestTau = 10.0;
constexpr int kTauPoints = 48;

// τ of the highest evidence, if the data's say on these weights is the normal one of the expansion at
// `scale`: the likelihood alone is N(m, P⁻¹), so that the evidence of τ is N(m; 0, P⁻¹ + τ²).
double best_scale(const Laplace& expansion, int offset, int size, double scale) {
  Eigen::MatrixXd covariance(size, size);
  Eigen::VectorXd centre(size);
  for (int i = 0; i < size; ++i) {
    centre[i] = expansion.centre[offset + i];
    for (int j = 0; j < size; ++j) covariance(i, j) = expansion.variance(offset + i, offset + j);
  }
  // Both share eigenvectors: P = Σ⁻¹ − τ⁻².
  const auto solver = optimize::symmetric_eigen(covariance);
  const Eigen::VectorXd along = solver.vectors.transpose() * centre;
  double best = scale;
  double highest = -INFINITY;
  for (int k = 0; k < kTauPoints; ++k) {
    const double tau = kSmallestTau * std::pow(kLargestTau / kSmallestTau, k / (kTauPoints - 1.0));
    double value = 0.0;
    for (int i = 0; i < size; ++i) {
      const double posterior = std::max(solver.values[i], 1e-12);
      const double precision = std::max(1.0 / posterior - 1.0 / (scale * scale), 1e-9);
      const double mean = along[i] / posterior / precision;
      const double variance = 1.0 / precision + tau * tau;
      value -= 0.5 * (std::log(variance) + mean * mean / variance);
    }
    if (value > highest) {
      highest = value;
      best = tau;
    }
  }
  return best;
}

// A set of terms with its mode and evidence.
struct Trial {
  DecisionProblem problem;
  Parameters at;
  double log_evidence = -INFINITY;
  double scale = 0.0;  // of the term that was added
};

class Chooser {
 public:
  Chooser(const inference::Likelihood& likelihood, const DecisionProblem& problem, const TermSearch& search)
      : likelihood_(likelihood), search_(search) {
    for (TermCandidate& candidate : term_candidates(likelihood.tree(), problem)) {
      weighed_.push_back({std::move(candidate), false, 0.0, 0.0});
    }
  }

  TermChoice run(const DecisionProblem& problem, const Parameters& start) {
    Trial best{problem, start, -INFINITY, 0.0};
    best.log_evidence = expand(best).log_evidence;
    for (WeighedTerm& term : weighed_) {
      if (search_.use == PolicyUse::kFull || term.candidate.use == Use::kAlways) take(term, best);
    }
    if (search_.use == PolicyUse::kAuto) {
      while (add_one(best)) {
      }
      while (drop_one(best)) {
      }
    }
    return {std::move(weighed_), std::move(best.problem), std::move(best.at), best.log_evidence,
            evaluations_.load()};
  }

 private:
  // The trial's mode moves to where it is, from where it was.
  Laplace expand(Trial& trial) {
    LogPosterior posterior(likelihood_, trial.problem, StudySpace(trial.problem, search_.dynamics),
                           search_.dynamics, Measure::kCoordinates);
    std::vector<double> y(posterior.size());
    posterior.coordinates({trial.at, {}}, y);
    Laplace expansion = laplace(posterior, y, search_.lbfgs);
    trial.at = posterior.agent_world(expansion.centre).agent;
    ++evaluations_;
    return expansion;
  }

  // With one term more, its scale chosen.
  Trial with(const TermCandidate& candidate, const Trial& base) {
    Trial trial{base.problem, base.at, -INFINITY, 0.0};
    if (candidate.shape == Shape::kAdditive) {
      add_term(candidate, kFirstScale, trial.problem);
      trial.at = with_terms_of(trial.problem, trial.at);
      const Laplace first = expand(trial);
      const StudySpace space(trial.problem, search_.dynamics);
      const auto& blocks = space.policy().terms().blocks();
      const int terms_begin = space.policy().size() - space.policy().terms().size();
      const auto& block = blocks.back();  // the one that was added last
      trial.scale = block.size > 0 ? best_scale(first, terms_begin + block.offset, block.size, kFirstScale)
                                   : kFirstScale;
      trial.problem.priors.term_scales.back() = trial.scale;
    } else {
      add_term(candidate, 0.0, trial.problem);
      trial.at = with_terms_of(trial.problem, trial.at);
    }
    trial.log_evidence = expand(trial).log_evidence;
    return trial;
  }

  void take(WeighedTerm& term, Trial& best) {
    Trial trial = with(term.candidate, best);
    accept(term, std::move(trial), best);
  }

  static void accept(WeighedTerm& term, Trial trial, Trial& best) {
    term.taken = true;
    term.scale = trial.scale;
    term.log_ratio = trial.log_evidence - best.log_evidence;
    best = std::move(trial);
  }

  bool stopped() const { return search_.stop && search_.stop(); }

  // Adds the term that gains most, if that is more than its price.
  bool add_one(Trial& best) {
    std::vector<WeighedTerm*> open;
    for (WeighedTerm& term : weighed_) {
      if (!term.taken) open.push_back(&term);
    }
    std::vector<Trial> trials(open.size());
    base::parallel_tasks(static_cast<int>(open.size()), search_.threads, [&](int i) {
      if (!stopped()) trials[i] = with(open[i]->candidate, best);
    });
    if (stopped() || open.empty()) return false;
    for (std::size_t i = 0; i < open.size(); ++i) {
      open[i]->log_ratio = trials[i].log_evidence - best.log_evidence;
    }
    const auto highest = std::max_element(trials.begin(), trials.end(), [](const Trial& x, const Trial& y) {
      return x.log_evidence < y.log_evidence;
    });
    if (!(highest->log_evidence - best.log_evidence > kPriceOfTerm)) return false;
    accept(*open[highest - trials.begin()], std::move(*highest), best);
    return true;
  }

  // Takes away a term that the others have made not worth its price.
  bool drop_one(Trial& best) {
    if (std::count_if(weighed_.begin(), weighed_.end(), [](const auto& term) { return term.taken; }) < 2) {
      return false;
    }
    for (WeighedTerm& term : weighed_) {
      if (!term.taken || term.candidate.use == Use::kAlways || stopped()) continue;
      Trial trial{best.problem, best.at, -INFINITY, 0.0};
      remove_term(term.candidate, trial.problem);
      trial.at = with_terms_of(trial.problem, trial.at);
      trial.log_evidence = expand(trial).log_evidence;
      term.log_ratio = best.log_evidence - trial.log_evidence;
      if (term.log_ratio > kPriceOfTerm) continue;
      term.taken = false;
      best = std::move(trial);
      return true;
    }
    return false;
  }

  const inference::Likelihood& likelihood_;
  const TermSearch& search_;
  std::vector<WeighedTerm> weighed_;
  std::atomic<int> evaluations_ = 0;
};

}  // namespace

int TermChoice::taken() const {
  return static_cast<int>(
      std::count_if(weighed.begin(), weighed.end(), [](const auto& term) { return term.taken; }));
}

TermChoice choose_terms(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                        const Parameters& start, const TermSearch& search) {
  return Chooser(likelihood, problem, search).run(problem, start);
}

}  // namespace interpole::learn
